import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { Policy } from '../policy/policy.ts';
import { listSecondaries } from '../registry/secondaries/list-secondaries.ts';
import { loadSigners } from '../registry/zones/published-domains.ts';
import { parentZone } from '../registry/zones/records.ts';
import { dsPresentation } from '../registry/zones/zone-record.ts';
import { listZones } from '../registry/zones/zone-view.ts';

/** What an operator has set in the DNS, as it was at the recovery point, and what it has to be compared with. */
export type DnsSetting = {
  readonly setting: string;
  readonly value: string;
  readonly since: Date | null;
  readonly compare: string;
};

/**
 * Settings that nobody notices to be old: a DS of a retired key makes a zone bogus, a revoked key transfers again, and
 * a zone that was frozen is published.
 */
export async function listDnsSettings(db: Sql, policy: Policy): Promise<DnsSetting[]> {
  return [...(await listSigners(db, policy)), ...(await listFreezes(db, policy)), ...(await listAccess(db))];
}

/** A zone without signers is listed too: they may have been set since. */
async function listSigners(db: Sql, policy: Policy): Promise<DnsSetting[]> {
  const signers = await loadSigners(db);
  return policy.zones
    .filter(({ origin }) => parentZone(origin, policy) !== undefined)
    .flatMap(({ origin }) => {
      const values = (signers.get(origin) ?? []).map(dsPresentation);
      return (values.length > 0 ? values : ['(none)']).map((value) => ({
        setting: `DS of ${origin}`,
        value,
        since: null,
        compare: `with the signer: keymgr ${origin} ds; then cadastre zone ds ${origin}`,
      }));
    });
}

const listFreezes = async (db: Sql, policy: Policy): Promise<DnsSetting[]> =>
  (await listZones(db, policy)).map(({ zone, frozenSince, frozenReason }) => ({
    setting: `publication of ${zone}`,
    value: frozenReason === null ? 'goes on' : `frozen: ${frozenReason}`,
    since: frozenSince,
    compare: `frozen or thawed since? cadastre zone freeze, cadastre zone thaw`,
  }));

async function listAccess(db: Sql): Promise<DnsSetting[]> {
  const keys = await db.rows(sql<{ name: string; secondary: string; since: Date }>`
    select k.name, s.name as secondary, k.created_at as since
    from dns_keys k join dns_secondaries s on s.id = k.secondary_id where k.revoked_at is null order by k.id`);
  return [
    ...(await listSecondaries(db)).map(({ name, address, port, since }) => ({
      setting: `secondary ${name}`,
      value: `${address} port ${port}`,
      since,
      compare: 'removed since? cadastre dns secondary remove',
    })),
    ...keys.map(({ name, secondary, since }) => ({
      setting: `key ${name}`,
      value: `valid for ${secondary}`,
      since,
      compare: 'revoked since? cadastre dns key revoke',
    })),
  ];
}
