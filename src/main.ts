#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: from the second command on, the code is compiled already.
enableCompileCache();
const { run } = await import('./app/program.ts');
process.exitCode = await run(process.argv);
