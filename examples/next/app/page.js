export default function Page() {
  return <p>The gateway is at /api/llm</p>;
}
