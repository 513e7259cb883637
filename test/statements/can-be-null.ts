/** A column of a table that a result shows. */
export type Source = { readonly table: string; readonly column: string; readonly isNullable: boolean };

/**
 * Whether a column is certainly null in some row of a statement: it can be null in its table, or its table is joined from
 * the left, and no comparison leaves such rows out. What an expression gives is not known.
 */
export const canBeNull = ({ table, column, isNullable }: Source, text: string): boolean =>
  (isNullable || isOnlyLeftJoined(table, text)) && !isCompared(column, text);

function isOnlyLeftJoined(table: string, text: string): boolean {
  const named = text.match(new RegExp(`\\b(?:from|join|into|update|,)\\s+${table}\\b`, 'gi')) ?? [];
  const left = text.match(new RegExp(`\\bleft join ${table}\\b`, 'gi')) ?? [];
  return named.length > 0 && named.length === left.length;
}

/** Anywhere in the text, also of a column of this name of another table. */
const isCompared = (column: string, text: string): boolean =>
  new RegExp(
    `\\b${column}\\s*(?:is not null|=|<|>|like\\b|in\\b)|[=<>]\\s*(?:\\w+\\.)?${column}\\b`,
    'i',
  ).test(text);
