import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before the program: whoever reads its folder of migrations reads another one.
const { OWN_MIGRATIONS = '', MOVED_MIGRATIONS = '' } = process.env;
const moved = (file) =>
  typeof file === 'string' && file.startsWith(OWN_MIGRATIONS)
    ? MOVED_MIGRATIONS + file.slice(OWN_MIGRATIONS.length)
    : file;
for (const name of ['readdirSync', 'readFileSync']) {
  const original = fs[name];
  fs[name] = (file, ...rest) => original(moved(file), ...rest);
}
syncBuiltinESMExports();
