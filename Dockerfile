# What it builds is the same for every processor: it is built once, on the one that is here.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json build.mjs build-types.mjs build-vendored.mjs ./
COPY src ./src
COPY translators ./translators
COPY page ./page
RUN npm run build

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts
# What is optional elsewhere, for Redis, prices and traces. `--build-arg EXTRAS=` leaves it out; more goes in the same way.
ARG EXTRAS="@keyv/redis @pydantic/genai-prices@0.1 @opentelemetry/api@1 @opentelemetry/core@2 @opentelemetry/exporter-trace-otlp-http@0.223 @opentelemetry/resources@2 @opentelemetry/sdk-trace-base@2"
RUN mkdir -p /extras/node_modules && if [ -n "$EXTRAS" ]; then npm install --prefix /extras --ignore-scripts $EXTRAS; fi

FROM node:24-slim
LABEL org.opencontainers.image.title="interlingua" \
  org.opencontainers.image.description="A gateway between the messages, responses, generateContent and chatCompletions dialects" \
  org.opencontainers.image.version="0.2.0" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="https://github.com/interlingua/interlingua"
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=packages /extras/node_modules /node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
# A configuration at /data/interlingua.yaml is found by itself, and an LMDB store is kept below /data.
RUN mkdir /data && chown node:node /data
WORKDIR /data
USER node
ENV NODE_ENV=production
# Beyond the container as well: without `keys` in its configuration the gateway then refuses to start.
ENV INTERLINGUA_HOST=0.0.0.0
EXPOSE 8080
# Asks where the same configuration listens.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["node", "/app/dist/src/health.js"]
# The command gives itself these flags; here it need not begin twice.
CMD ["node", "--no-memory-reducer", "/app/dist/src/cli.js", "serve"]
