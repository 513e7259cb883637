import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { requireConfirmation } from '../../../src/commands/terminal/changing.ts';
import { CommandError, table, tableOf } from '../../../src/commands/terminal/output.ts';

/** A terminal at which this is typed, followed by end of input. */
function terminal(typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  input.end(typed);
  return { input, output, asked: () => String(output.read() ?? '') };
}

describe('confirmation of irreversible changes', () => {
  test.each(['y\n', 'Y\n', 'yes\n', ' yes \n'])('success: "%s" at the terminal confirms', async (typed) => {
    const person = terminal(typed);
    await requireConfirmation({}, 'The token ends.', person);
    expect(person.asked()).toContain('The token ends. That cannot be undone. Go on? [y/N] ');
  });

  test('success: --yes and --dry-run do not ask', async () => {
    const nobody = { input: new PassThrough(), output: new PassThrough() };
    await requireConfirmation({ yes: true }, 'The token ends.', nobody);
    await requireConfirmation({ dryRun: true }, 'The token ends.', nobody);
    expect(nobody.output.read()).toBe(null);
  });

  test.each(['n\n', '\n', 'yesterday\n', ''])(
    'failure: "%s" at the terminal does not confirm',
    async (typed) => {
      await expect(requireConfirmation({}, 'The token ends.', terminal(typed))).rejects.toThrow(
        new CommandError('Nothing was changed.'),
      );
    },
  );

  test('failure: without a terminal --yes is required', async () => {
    const nobody = { input: new PassThrough(), output: new PassThrough() };
    await expect(requireConfirmation({}, 'The token ends.', nobody)).rejects.toThrow(
      /^The token ends\. .* add --yes if it is meant\.$/,
    );
  });
});

describe('a table', () => {
  const text = (value: string) => ({ text: value, exact: false });
  const exact = (value: string) => ({ text: value, exact: true });
  const rows = [
    { id: exact('17'), to: text('a'.repeat(40)), why: text('b'.repeat(60)), at: exact('2026-11-15T12:00') },
    { id: exact('18'), to: text('short'), why: text('-'), at: exact('-') },
  ];

  test('success: in a pipe it is as wide as needed', () => {
    const [head = '', first = ''] = table(rows, undefined).split('\n');
    expect(head).toMatch(/^ID {2}TO {40}WHY {59}AT$/);
    expect(first).toBe(`17  ${'a'.repeat(40)}  ${'b'.repeat(60)}  2026-11-15T12:00`);
  });

  test('success: on a terminal the widest texts are shortened, and numbers and times never', () => {
    for (const width of [60, 80, 100]) {
      const lines = table(rows, width).split('\n');
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      expect(lines[1]).toMatch(/^17 {2}a+…? {2,}b+… {2}2026-11-15T12:00$/);
    }
    // The narrower column stays whole as long as possible.
    expect(table(rows, 110)).toContain(`${'a'.repeat(40)}  ${'b'.repeat(45)}…`);
  });

  test('success: at a terminal times are in the zone of the registry, to the minute; otherwise exact', () => {
    const row = { at: new Date('2026-11-15T12:34:56.789Z'), count: 7, roles: ['epp', 'billing'], none: null };
    expect(tableOf([row], 80).split('\n')[1]).toBe('2026-11-15 14:34  7      epp, billing  -');
    expect(tableOf([row], undefined).split('\n')[1]).toBe('2026-11-15T12:34:56.789Z  7      epp, billing  -');
  });

  test('success: texts that fit are unchanged, and a terminal that is too narrow breaks the lines itself', () => {
    expect(table(rows, 500)).toBe(table(rows, undefined));
    expect(table(rows, 10).split('\n')[1]).toBe(`17  ${'a'.repeat(7)}…  ${'b'.repeat(7)}…  2026-11-15T12:00`);
  });
});
