#!/usr/bin/env node
import { enableCompileCache, registerHooks } from 'node:module';

// Before anything else is loaded: from the second command on, the code is compiled already.
enableCompileCache();
// An import of our own names its file: Node need not ask in every folder above it what kind of file that is, which takes
// a quarter of the time of loading.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL !== undefined
      ? {
          url: new URL(specifier, context.parentURL).href,
          format: 'module-typescript',
          shortCircuit: true,
        }
      : next(specifier, context),
});
// Where nobody reads the output any more (`| head`), a command ends as if by SIGPIPE, without a trace of the stack.
const ENDED_BY_SIGPIPE = 141;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(ENDED_BY_SIGPIPE);
});
const { run } = await import('./app/program.ts');
process.exitCode = await run(process.argv);
