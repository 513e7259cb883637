import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { TargetRules } from '../../platform/webhooks/target-address.ts';
import { webhookSecret } from '../../platform/webhooks/webhook-signature.ts';
import { refuse } from '../registry-refusals.ts';

export type WebhookSettings = {
  readonly rules: TargetRules;
  /** The secret that those of the endpoints are derived from; without it the registry offers no webhooks. */
  readonly secret: string | undefined;
};

/** The tables came with a later schema than the one that the program still starts on. */
export async function hasWebhookTables(db: Sql): Promise<boolean> {
  const { found } = await db.one(sql<{ found: boolean }>`
    select to_regclass('webhook_deliveries') is not null as found`);
  return found;
}

/** Whether the registry offers webhooks, by its settings and by its schema. */
export const offersWebhooks = async (db: Sql, { secret }: WebhookSettings): Promise<boolean> =>
  secret !== undefined && (await hasWebhookTables(db));

/** Asks until they are there: a migration may add them while the program runs. */
export function webhookTables(db: Sql): () => Promise<boolean> {
  let isFound = false;
  return async () => {
    isFound ||= await hasWebhookTables(db);
    return isFound;
  };
}

/** The secret of an endpoint, from its salt. */
export const secretOf = ({ secret }: WebhookSettings, salt: Uint8Array): string =>
  webhookSecret(secret ?? refuse('webhooksOff'), salt);
