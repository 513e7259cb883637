import type { Registry } from 'cadastre-sdk';
import type { Printer, Streams } from './output.ts';

/** What a command has of its surroundings; tests give it others than those of the process. */
export type Environment = Streams & {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where profiles are, unless the variables say otherwise. */
  readonly home: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Ends commands that wait. */
  readonly signal: AbortSignal;
};

export type Option = {
  /** What stands for the value in the help; an option without one is a flag. */
  readonly value?: string;
  readonly multiple?: true;
  readonly description: string;
};
export type Options = Readonly<Record<string, Option>>;

/** The options that were given. */
export type Given = {
  flag(name: string): boolean;
  text(name: string): string | undefined;
  requireText(name: string): string;
  texts(name: string): readonly string[];
};

export type Context = Given & {
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly printer: Printer;
  /** The client of the chosen profile; asks for the password where nothing else tells it. */
  registry(): Promise<Registry>;
  /** `--key` and `--dry-run`, for a change. */
  readonly change: { readonly key?: string; readonly dryRun?: true };
};

export type Command = {
  /** `domain create`. */
  readonly name: string;
  /** `NAME`, `NAME…` or `[FILE]`, separated by spaces. */
  readonly parameters?: string;
  readonly summary: string;
  readonly options?: Options;
  /** Takes `--key` and `--dry-run`. */
  readonly changes?: true;
  run(context: Context): Promise<void>;
};

/** The command line is wrong: said with a line of help, exit code 2. */
export class UsageError extends Error {}

/** A command reported failures itself: exit code 1. */
export class Failed extends Error {}

const PERIOD = /^(\d{1,3})([ym])$/;

export function parsePeriod(text: string): { period: number; period_unit: 'y' | 'm' } {
  const [, period, unit] = PERIOD.exec(text) ?? [];
  if (period === undefined) throw new UsageError(`${text} is no period such as 1y or 3m`);
  return { period: Number(period), period_unit: unit === 'm' ? 'm' : 'y' };
}

/** Undefined instead of nothing, which the API would take for none. */
export const given = <T>(items: readonly T[]): readonly T[] | undefined =>
  items.length > 0 ? items : undefined;

/** The one argument of a command that takes one. */
export const argument = ({ args }: Context): string => args[0] ?? '';
