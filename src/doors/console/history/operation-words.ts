import { type Html, html, type Language } from '../../html/layout.ts';
import { ownStatusWords } from '../domains/own-statuses.ts';
import { englishOperations } from './english-operations.ts';
import { estonianOperations } from './estonian-operations.ts';
import type { OperationTexts } from './operation-texts.ts';

const TEXTS: Readonly<Record<Language, OperationTexts>> = { en: englishOperations, et: estonianOperations };

/** An operation that is named after the one status that it sets or takes away. */
const OF_STATUS = /^(set|remove|cancel) (\w+)$/;

/** The status that an operation is named after: what it changes needs no further words. */
export const statusOf = (operation: string): string | undefined => OF_STATUS.exec(operation)?.[2];

/** What was done, in words; undefined for an operation of a later version. */
export function operationWords(kind: string, operation: string, lang: Language): string | undefined {
  const texts = TEXTS[lang];
  const named = [`${kind} ${operation}`, operation].find((name) => Object.hasOwn(texts.names, name));
  if (named !== undefined) return texts.names[named];
  if (operation === 'roles' || operation.startsWith('roles ')) return texts.roles;
  if (operation.startsWith('log in by ')) return texts.login;
  return wordsOfStatus(operation, texts, lang);
}

function wordsOfStatus(operation: string, texts: OperationTexts, lang: Language): string | undefined {
  const [, verb, status = ''] = OF_STATUS.exec(operation) ?? [];
  const words = ownStatusWords(lang, status)?.title;
  if (words === undefined) return undefined;
  const byRegistrar = status.startsWith('client');
  if (verb === 'set') return byRegistrar ? texts.setByRegistrar(words) : texts.set(words);
  return byRegistrar ? texts.liftedByRegistrar(words) : texts.lifted(words);
}

/** An operation without words is shown by its name. */
export function operationText(kind: string, operation: string, lang: Language): Html {
  const words = operationWords(kind, operation, lang);
  return words === undefined ? html`<code>${operation}</code>` : html`${words}`;
}
