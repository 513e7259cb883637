import { expect, test } from 'vitest';
import { splitStatements } from '../../../src/platform/sql/sql-text.ts';

test('success: semicolons in literals, names, bodies and comments end no statement', () => {
  const script = `-- one; two\nselect ';', e'\\';', "a;b" /* ; /* ; */ ; */; do $x$ begin; end $x$;\n-- end;`;
  expect(splitStatements(script)).toEqual([
    { text: `select ';', e'\\';', "a;b" /* ; /* ; */ ; */`, skeleton: `select '', '', "a;b"` },
    { text: 'do $x$ begin; end $x$', skeleton: "do ''" },
  ]);
});
