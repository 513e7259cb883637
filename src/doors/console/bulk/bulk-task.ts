import type { Parsed } from '../../../operations/refusal.ts';
import type { BulkInputs, BulkKind } from '../../../registry/bulk-jobs/bulk-job.ts';
import type { BulkFinding } from '../../../registry/domains/bulk/bulk-findings.ts';
import type { Context } from '../../../registry/operation.ts';
import type { Field } from '../../html/form.ts';
import type { Language } from '../../html/layout.ts';
import type { Values } from '../form-definition.ts';
import type { ConsoleParts, FormInput, Visit } from '../console-page.ts';
import type { LineContent } from './list-columns.ts';
import type { ListedDomain } from './name-list.ts';
import type { Task } from './task-texts.ts';

export type Possible = Extract<BulkFinding, { readonly refusal?: undefined }>;
/** Names of domains, and whether there are more. */
export type FoundNames = { readonly names: readonly string[]; readonly isMore: boolean };

/** A kind of bulk job as a form for a list of domains. */
export type BulkTask<Kind extends BulkKind = BulkKind> = {
  readonly kind: Kind;
  readonly path: string;
  readonly texts: (lang: Language) => Task;
  /** The fields that its address may fill in. */
  readonly prefilled?: readonly string[];
  /** Those of many lines, besides the list. */
  readonly longFields?: readonly string[];
  /** Whether a list is previewed at once, with the fields as they begin. */
  readonly isReady?: true;
  /** Those besides the list. */
  readonly fields: (values: Values, visit: Pick<Visit, 'lang'>) => readonly Field[];
  readonly read: (form: FormInput, parts: ConsoleParts) => Parsed<BulkInputs[Kind]>;
  /** What the fields of a form held that was read so. */
  readonly valuesOf: (input: BulkInputs[Kind]) => Readonly<Record<string, string>>;
  /** Whether its form asks for a fresh login. */
  readonly needsRecentLogin?: true;
  /** What takes a change back, where that needs no more than the change itself. */
  readonly reverse?: (input: BulkInputs[Kind]) => BulkInputs[Kind];
  /** What the lines of the list have besides names: each a transfer code, or some a period of their own. */
  readonly lineHas?: LineContent;
  /** The domains where none are named; undefined where some must be. */
  readonly allOf?: (
    parts: ConsoleParts,
    input: BulkInputs[Kind],
    visit: Visit,
  ) => Promise<FoundNames | undefined>;
  /** The refusal where those are none. */
  readonly noneHas?: 'noDomainHasNameserver' | 'noDomainHasContact';
  readonly preview: (
    parts: ConsoleParts,
    input: BulkInputs[Kind],
    listed: readonly ListedDomain[],
    context: Context,
  ) => Promise<BulkFinding[]>;
  readonly describe: (found: Possible, visit: Visit, parts: ConsoleParts, input: BulkInputs[Kind]) => string;
};
