#!/usr/bin/env node
import os from 'node:os';
import { runCommand } from './program.ts';

const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());

const { env: variables, stdin, stdout, stderr } = process;
// A reader that has seen enough, such as head, is no failure.
stdout.on('error', () => process.exit(0));
process.exitCode = await runCommand(process.argv.slice(2), {
  variables,
  stdin,
  stdout,
  stderr,
  home: os.homedir(),
  signal: controller.signal,
});
