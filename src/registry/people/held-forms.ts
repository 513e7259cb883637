import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import { isUnknownKind } from './login-steps.ts';

/** A form as it was sent, by somebody who has to log in before it is answered. */
export type HeldForm = {
  /** Of the change that it asks for, with the parameters of its address. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly fields: readonly (readonly [name: string, values: readonly string[]])[];
};

/** Who has sent it; nobody else gets it back, and neither does the same person acting for another registrar. */
export type FormOwner = { readonly personId: number; readonly registrarId: number };

/** Encrypted. */
type State = { readonly content: string };

const HELD_MINUTES = 60;
/** Of the largest forms that people fill in. */
const MAX_BYTES = 1_048_576;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'cadastre: forms that wait for a login';

/** Holds a form in place of the one before; undefined for one that is too large. The key is the browser's alone. */
export async function holdForm(
  db: Sql,
  owner: FormOwner,
  form: HeldForm,
  now: Date,
): Promise<string | undefined> {
  const token = newToken();
  const content = encrypt(token, owner, JSON.stringify(form));
  if (content.length > MAX_BYTES) return undefined;
  const { personId } = owner;
  const state: State = { content: content.toString('base64') };
  try {
    await db.run(sql`
      with forgotten as (delete from login_steps where kind = 'held form' and person_id = ${personId})
      insert into login_steps (token_hash, kind, person_id, state, created_at, expires_at)
      values (${tokenHash(token)}, 'held form', ${personId}, ${json(state)}, ${now}, ${now}::timestamptz + make_interval(mins => ${HELD_MINUTES}))`);
  } catch (error) {
    if (!isUnknownKind(error)) throw error;
    return undefined;
  }
  return token;
}

/** Undefined for a token of another form, and for another person or registrar. */
export async function findHeldForm(
  db: Sql,
  token: string,
  owner: FormOwner,
  now: Date,
): Promise<HeldForm | undefined> {
  const step = await db.maybe(sql<{ state: State }>`
    select state from login_steps
    where kind = 'held form' and token_hash = ${tokenHash(token)} and person_id = ${owner.personId} and expires_at > ${now}`);
  const text = step && decrypt(token, owner, Buffer.from(step.state.content, 'base64'));
  return text === undefined ? undefined : (JSON.parse(text) as HeldForm);
}

/** Whose session it was, whether it has ended or not: what was typed in it is theirs. */
export async function findSessionOwner(db: Sql, token: string, now: Date): Promise<FormOwner | undefined> {
  return db.maybe(sql<FormOwner>`
    select s.person_id as "personId", s.registrar_id as "registrarId" from person_sessions s join people p on p.id = s.person_id
    where s.token_hash = ${tokenHash(token)} and p.disabled_at is null and s.created_at > ${now}::timestamptz - interval '1 day'`);
}

const keyOf = (token: string): Buffer => Buffer.from(hkdfSync('sha256', token, '', PURPOSE, KEY_BYTES));
const ownerText = ({ personId, registrarId }: FormOwner): Buffer =>
  Buffer.from(`person ${personId} registrar ${registrarId}`);

function encrypt(token: string, owner: FormOwner, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(token), nonce, { authTagLength: TAG_BYTES }).setAAD(
    ownerText(owner),
  );
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(token: string, owner: FormOwner, stored: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, keyOf(token), stored.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(ownerText(owner))
    .setAuthTag(stored.subarray(-TAG_BYTES));
  const text = decipher.update(stored.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
