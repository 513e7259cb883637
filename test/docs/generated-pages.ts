import { statusOf } from '../../src/doors/registrar-api/envelope.ts';
import { type Config, type Mode, settings } from '../../src/platform/config.ts';
import { catalogue } from '../../src/registry/refusals.ts';

const GENERATED = (source: string) =>
  `<!-- Generated from ${source}. Do not edit: run npx vitest run test/docs/generated.test.ts --update -->`;

const cell = (text: string): string => text.replaceAll('|', '\\|');
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** docs/errors.md: everything the registry can refuse. */
export function errorsPage(): string {
  const refusals = Object.entries(catalogue)
    .map(([name, entry]) => ({ name, ...entry, status: statusOf[entry.kind] }))
    .sort((one, other) => one.code - other.code || one.status - other.status);
  const statuses = [...Map.groupBy(refusals, ({ status }) => status)].sort(([one], [other]) => one - other);
  return `${GENERATED('src/registry/refusals.ts')}

# Errors

Everything the registry can refuse, in one closed list. The code is one of the EPP family (RFC 5730). The HTTP status follows from the kind of refusal, so one code can have several statuses: 2303 is 404 for an object that is not there and 410 for one that was removed.

A refusal is an envelope with its \`code\` and \`message\`, and with \`data\` as an empty object. Refusals with status 400 also have \`errors\`, which lists every failure found. A refusal changes no object.

The list runs ahead of the API: a refusal about something that is still on [the roadmap](roadmap.md) cannot happen yet.

Words in braces stand for what the message names: \`{field}\` is the path of a field such as \`contact.phone\`, \`{expected}\` what it should have been. Decide by status and code: texts may be reworded.

## By code

${table(
  ['code', 'HTTP', 'message', 'when', 'name in the source'],
  refusals.map(({ code, status, text, when, name }) => [
    String(code),
    String(status),
    text,
    when,
    `\`${name}\``,
  ]),
)}

## By status

${table(
  ['HTTP', 'codes'],
  statuses.map(([status, group]) => [String(status), [...new Set(group.map(({ code }) => code))].join(', ')]),
)}
`;
}

type Setting = (typeof settings)[keyof typeof settings];

/** docs/configuration.md: every setting there is. */
export function configurationPage(): string {
  return `${GENERATED('src/platform/config.ts')}

# Configuration

Settings come from the environment, and from the file that the environment variable \`CADASTRE_CONFIG\` names. That file has one \`NAME=value\` per line. The environment wins over the file, and an empty value counts as none.

A wrong value, or a name in the file that is no setting, stops the start. Everything that is wrong is told at once, each in one sentence. Values of secrets are never repeated.

\`cadastre settings\` shows every setting with its present value, and with \`--sandbox\` the defaults of the sandbox. Secrets are shown as \`(set)\`, addresses without user, password and values of the query.

${table(
  ['setting', 'in production', 'in the sandbox', 'takes', 'what it is'],
  Object.values(settings).map((setting) => [
    `\`${setting.env}\``,
    defaultOf(setting, 'production'),
    defaultOf(setting, 'sandbox'),
    `${accepted(setting)}${setting.secret ? '; secret' : ''}`,
    setting.about,
  ]),
)}

\`serve\` and \`work\` need \`DATABASE_URL\`. The sandbox and the commands that look at it need nothing.
`;
}

function defaultOf({ fallback }: Setting, mode: Mode): string {
  const value: Config[keyof typeof settings] = fallback[mode];
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? 'none' : `\`${text}\``;
}

/** What a setting takes, in the words of its own complaint. */
function accepted({ read }: Setting): string {
  const complaint: unknown = read('?');
  if (typeof complaint !== 'object' || complaint === null || !('expected' in complaint)) return 'a text';
  return String(complaint.expected).replace(/ \("\?".*\)$/, '');
}
