import type { Sql } from '../../platform/database/database.ts';

/** Every kind of poll message there is, with its text. docs/registrar-api.md lists them. */
export const messageTexts = {
  wrong_codes: ({ name }: { name: string }) =>
    `Too many wrong codes for domain ${name}; attempts are refused for an hour`,
} as const;

export type MessageType = keyof typeof messageTexts;
export type NewMessage = {
  readonly registrarId: number;
  readonly type: MessageType;
  readonly text: string;
  readonly attached?: { readonly type: 'Domain' | 'Contact'; readonly id: number };
};

/** Writes one message, in the transaction of what it tells of. */
export async function writeMessage(
  sql: Sql,
  { registrarId, type, text, attached }: NewMessage,
  now: Date,
): Promise<void> {
  await sql`
    insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
    values (${registrarId}, ${type}, ${text}, ${attached?.type ?? null}, ${attached?.id ?? null}::bigint, ${now})`;
}
