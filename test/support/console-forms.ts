import type { ConsoleAnswer, ConsoleClient } from './console.ts';

export const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescapeHtml(value);
};

/** The fields that a browser would send of the form with the button of a step. */
export function formFields(text: string): Record<string, string> {
  const form = text.match(/<form method="post".*?<\/form>/gs)?.find((each) => each.includes('name="step"'));
  if (form === undefined) throw new Error(`there is no form: ${text}`);
  const inputs = (form.match(/<input[^>]*>/g) ?? [])
    .filter((tag) => attribute(tag, 'type') !== 'checkbox' || / checked/.test(tag))
    .map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']);
  const areas = Array.from(
    form.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)<\/textarea>/gs),
    ([, name = '', value = '']) => [name, unescapeHtml(value)],
  );
  const lists = Array.from(
    form.matchAll(/<select[^>]* name="([^"]*)".*?<\/select>/gs),
    ([list, name = '']) => {
      const options = list.match(/<option[^>]*>/g) ?? [];
      const chosen = options.find((option) => / selected/.test(option)) ?? options[0] ?? '';
      return [name, attribute(chosen, 'value') ?? ''];
    },
  );
  return Object.fromEntries([...inputs, ...areas, ...lists]);
}

/** Every name of a field that the form could send. */
export const fieldNames = (text: string): string[] =>
  Array.from(text.matchAll(/<(?:input|textarea|select)[^>]* name="([^"]*)"/g), ([, name = '']) => name);

type Steps = { readonly shown: ConsoleAnswer; readonly fields: Record<string, string> };

/** Opens a form, fills it in and asks for its preview; `fields` would carry it out. */
export async function preview(
  client: ConsoleClient,
  path: string,
  filled: Record<string, string> = {},
): Promise<Steps> {
  const form = await client.get(path);
  const [address = ''] = path.split('?', 1);
  const shown = await client.post(address, { ...formFields(form.text), ...filled, step: 'preview' });
  return { shown, fields: { ...formFields(shown.text), step: 'confirm' } };
}

/** Opens a form that asks once, and fills it in; `fields` would carry it out. */
export async function confirmation(
  client: ConsoleClient,
  path: string,
  filled: Record<string, string> = {},
): Promise<Steps> {
  const shown = await client.get(path);
  return { shown, fields: { ...formFields(shown.text), ...filled, step: 'confirm' } };
}

/** The same up to the end. */
export async function confirm(
  client: ConsoleClient,
  path: string,
  filled: Record<string, string> = {},
): Promise<ConsoleAnswer> {
  const { fields } = await confirmation(client, path, filled);
  return client.post(path, fields);
}

/** What the page after a change offers to take it back: where, and what is sent. */
export function undoOf(text: string): { readonly path: string; readonly fields: Record<string, string> } {
  const [, path = '', inputs = ''] =
    /role="status"><p>[^<]*<\/p><form method="post" action="([^"]*)">(.*?)<button class="plain" data-keys="z">Undo<\/button>/s.exec(
      text,
    ) ?? [];
  const tags = inputs.match(/<input[^>]*>/g) ?? [];
  const fields = tags.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']);
  return { path: unescapeHtml(path), fields: Object.fromEntries(fields) };
}

/** A form with a preview up to its end: the answer to the confirmation, or to the preview if that was refused. */
export async function carryOut(
  client: ConsoleClient,
  path: string,
  filled: Record<string, string> = {},
): Promise<ConsoleAnswer & { readonly preview: string }> {
  const { shown, fields } = await preview(client, path, filled);
  const [address = ''] = path.split('?', 1);
  const answer = shown.status === 200 ? await client.post(address, fields) : shown;
  return { ...answer, preview: shown.text };
}
