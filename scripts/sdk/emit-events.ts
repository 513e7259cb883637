/** The generated file of packages/sdk about events: their types, and the data of each. */
import type { Document } from './calls.ts';
import { HEAD } from './emit.ts';
import { docOf, literal, referredName, type Schema, typeOf } from './schema-types.ts';

export function emitEvents({ webhooks = {} }: Document): string {
  const events = Object.entries(webhooks).map(([type, { post }]) => ({
    type,
    summary: post.summary,
    data: dataOf(type, post.requestBody.content['application/json']?.schema),
  }));
  const names = [...new Set(events.flatMap(({ data }) => namesIn(data)))].sort();
  const members = events.map(
    ({ type, summary, data }) => `${docOf(summary)}readonly ${literal(type)}: ${typeOf(data)};\n`,
  );
  return [
    HEAD,
    `import type { ${names.join(', ')} } from './types.ts';\n\n`,
    docOf('The data of every event, by its type.'),
    `export type EventData = {\n${members.join('')}};\n\n`,
    `export const EVENT_TYPES: readonly (keyof EventData)[] = [${events.map(({ type }) => literal(type)).join(', ')}];\n`,
  ].join('');
}

function dataOf(type: string, schema: Schema | undefined): Schema {
  const data = schema?.properties?.data;
  if (!data) throw new Error(`the event ${type} has no data`);
  return data;
}

const namesIn = ({ $ref, anyOf = [] }: Schema): string[] =>
  $ref === undefined ? anyOf.flatMap(namesIn) : [referredName($ref)];
