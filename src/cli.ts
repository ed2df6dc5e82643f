#!/usr/bin/env node
import { runCommandLine } from './cli/run.js';

process.exitCode = await runCommandLine(process.argv.slice(2));
