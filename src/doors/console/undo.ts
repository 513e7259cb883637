import type { FastifyRequest } from 'fastify';
import { hiddenField } from '../html/form.ts';
import { type Html, html } from '../html/layout.ts';
import { undoCookie, undoOf } from './cookie.ts';
import { formButtonTexts } from './form-button-texts.ts';
import type { Notice } from './notice-texts.ts';
import { consoleAddress, type Undo, type Visit } from './console-page.ts';

/** What somebody is told, and on which page. */
type Told = { readonly notice: Notice; readonly address: string };

/** For whom, after which notice, and where; the parameters of the address do not count. */
const placeOf = ({ session }: Visit, { notice, address }: Told): string =>
  [session.id, session.registrarId, notice, address.split('?', 1)].join(' ');

/**
 * The browser keeps what takes a change back until the notice is shown: in an address, anybody could have written it who
 * sends a link.
 */
export const rememberUndo = ({ path, fields = {} }: Undo, told: Told, visit: Visit): string =>
  undoCookie(
    new URLSearchParams([['', placeOf(visit, told)], ['', path], ...Object.entries(fields)]).toString(),
  );

/** The button beside a notice; undefined if its change cannot be taken back, or was another one. */
export function undoForm({ headers, url }: FastifyRequest, notice: Notice, visit: Visit): Html | undefined {
  const [[, place], [, path], ...fields] = [...new URLSearchParams(undoOf(headers.cookie)), [], []];
  if (place !== placeOf(visit, { notice, address: url }) || path === undefined) return undefined;
  if (!isPlain(consoleAddress(path))) return undefined;
  return html`<form method="post" action="${consoleAddress(path)}">${fields.flatMap(([name, value]) =>
    name !== undefined && value !== undefined ? [hiddenField(name, value)] : [],
  )}<button class="plain" data-keys="z">${formButtonTexts(visit.lang).undo}</button></form>`;
}

/** The cookie is the browser's: whatever is in it stays within the console. */
const isPlain = (address: string): boolean => new URL(address, 'https://console').pathname === address;
