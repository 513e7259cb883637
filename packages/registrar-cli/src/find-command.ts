import type { Command } from './command.ts';

/** The command that the words begin with; `domain contacts add` is longer than `domain contacts`, and wins. */
export function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands
    .filter(({ name }) => name.split(' ').every((part, index) => words[index] === part))
    .sort((one, other) => other.name.length - one.name.length)[0];
}

/** What is said of words that begin no command. */
export function unknownCommand(commands: readonly Command[], words: readonly string[]): string {
  let possible = commands.map(({ name }) => name.split(' '));
  for (const [index, word] of words.entries()) {
    const next = [...new Set(possible.flatMap((parts) => parts[index] ?? []))];
    if (word.startsWith('-') || next.length === 0) break;
    possible = possible.filter((parts) => parts[index] === word);
    if (possible.length > 0) continue;
    const before = words.slice(0, index);
    const meant = nearest(next, word);
    const hint = meant === undefined ? '' : `; did you mean ${[...before, meant].join(' ')}?`;
    return `unknown command ${[...before, word].join(' ')}${hint}`;
  }
  return `which command? ${possible.map((parts) => parts.join(' ')).join(', ')}`;
}

function nearest(names: readonly string[], word: string): string | undefined {
  const [found] = names
    .map((name) => ({ name, distance: distanceOf(name, word) }))
    .filter(({ name, distance }) => distance <= 2 && distance < name.length / 2)
    .sort((one, other) => one.distance - other.distance);
  return found?.name;
}

/** How many letters must be put in, left out, replaced or swapped with their neighbour. */
function distanceOf(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  const cell = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          cell(row - 1, column) + 1,
          cell(row, column - 1) + 1,
          cell(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? cell(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return cell(one.length, other.length);
}
