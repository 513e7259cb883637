import type { Parsed } from '../../../operations/refusal.ts';
import type { Outcome } from '../../../operations/run-operation.ts';
import type { BulkFinding } from '../../../registry/domains/bulk/bulk-findings.ts';
import type { Context } from '../../../registry/operation.ts';
import type { Field } from '../../html/form.ts';
import type { HtmlValue, Language } from '../../html/layout.ts';
import type { Values } from '../form-definition.ts';
import type { ConsoleParts, FormInput, Visit } from '../console-page.ts';
import type { ListedDomain } from './name-list.ts';

export type Possible = Extract<BulkFinding, { readonly refusal?: undefined }>;
/** Names of domains, and whether there are more. */
export type FoundNames = { readonly names: readonly string[]; readonly isMore: boolean };

/** A bulk operation of the registry as a form for a list of domains. */
export type BulkTask<Input> = {
  readonly path: string;
  readonly texts: (lang: Language) => {
    readonly title: string;
    readonly lead: string;
    readonly confirm: string;
  };
  /** The fields that its address may fill in. */
  readonly prefilled?: readonly string[];
  /** Those of many lines, besides the list. */
  readonly longFields?: readonly string[];
  /** Whether a list is previewed at once, with the fields as they begin. */
  readonly isReady?: true;
  /** Those besides the list. */
  readonly fields: (values: Values, visit: Visit) => readonly Field[];
  readonly read: (form: FormInput) => Parsed<Input>;
  /** Lines of the list have transfer codes. */
  readonly hasCodes?: boolean;
  /** The domains where none are named; undefined where some must be. */
  readonly allOf?: (parts: ConsoleParts, input: Input, visit: Visit) => Promise<FoundNames | undefined>;
  /** The refusal where those are none. */
  readonly noneHas?: 'noDomainHasNameserver' | 'noDomainHasContact';
  readonly preview: (
    parts: ConsoleParts,
    input: Input,
    listed: readonly ListedDomain[],
    context: Context,
  ) => Promise<BulkFinding[]>;
  readonly describe: (found: Possible, visit: Visit, parts: ConsoleParts) => HtmlValue;
  /** All of them or none; undefined where one of them cannot be changed any more. */
  readonly run: (
    parts: ConsoleParts,
    input: Input,
    listed: readonly ListedDomain[],
    context: Context,
  ) => Promise<Outcome<unknown> | undefined>;
};
