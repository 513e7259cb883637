import { renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { commandEnvironment } from './config/command-environment.ts';
import { makePrivate, makePrivateDirectory, PRIVATE_FILE } from './config/private-files.ts';
import { currentTrace } from './work-scope.ts';
import { escapeInvisibleInJson } from './values/normalise-text.ts';

export type { Logger };

const FLUSH_TIMEOUT_MS = 1_000;
const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** JSON lines; to a file in the sandbox, whose terminal shows the banner, else to standard output. */
export function openLog(level: string, file?: string): { log: Logger; flush: () => Promise<void> } {
  if (file) {
    makePrivateDirectory(path.dirname(file));
    for (const logFile of [file, `${file}.1`]) makePrivate(logFile);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_FILE_BYTES)
      renameSync(file, `${file}.1`);
  }
  const { stdout } = commandEnvironment();
  const dest = file ?? stdout.fd;
  if (dest === undefined) return { log: createLog(level, stdout), flush: async () => {} };
  const stream = destination({
    dest,
    mode: PRIVATE_FILE,
    sync: false,
    minLength: 4096,
    periodicFlush: 500,
  });
  // Not flushSync: it repeats a write for ever if the reader of a pipe has ended.
  const flush = () =>
    Promise.race([
      new Promise<void>((resolve) => stream.flush(() => resolve())),
      sleep(FLUSH_TIMEOUT_MS, undefined, { ref: false }),
    ]);
  return { log: createLog(level, stream), flush };
}

export function createLog(level: string, stream: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: plainError },
      // Logs are read at terminals too, and contain names that clients chose.
      hooks: { streamWrite: escapeInvisibleInJson },
      mixin: traceOfLine,
    },
    stream,
  );
}

/** A line names its trace itself where it is written outside of it. */
function traceOfLine(): { traceId?: string } {
  const trace = currentTrace();
  return trace === undefined ? {} : { traceId: trace.traceId };
}

/** Message, code and stack; never statement parameters, which contain client data. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  const constraint = 'constraint' in error ? error.constraint : undefined;
  return { name: error.name, message: error.message, code, constraint, stack: error.stack };
}
