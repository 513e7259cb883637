import { creditRegistrar } from '../ledger/post.ts';
import type { Sql } from '../platform/database/database.ts';
import { parseDecimal } from '../platform/money.ts';
import type { Policy } from '../policy/policy.ts';
import type { Role } from '../registry/actor.ts';
import { createRegistrar } from '../registry/registrars/registrars.ts';
import { createUser } from '../registry/users/users.ts';

type SeedRegistrar = {
  readonly code: string;
  readonly name: string;
  readonly website: string;
  readonly balance: string;
};
type SeedUser = {
  readonly username: string;
  readonly password: string;
  readonly registrar: string;
  readonly roles: readonly Role[];
};

/** What every sandbox starts with; fixed, so that examples can be pasted. */
export const seed: { readonly registrars: readonly SeedRegistrar[]; readonly users: readonly SeedUser[] } = {
  registrars: [
    { code: 'ALPHA', name: 'Alpha Registrar', website: 'https://alpha.example', balance: '100000.00' },
    { code: 'BETA', name: 'Beta Registrar', website: 'https://beta.example', balance: '100000.00' },
    { code: 'POOR', name: 'Poor Registrar', website: 'https://poor.example', balance: '5.00' },
  ],
  users: [
    { username: 'alpha', password: 'alpha-sandbox-password', registrar: 'ALPHA', roles: ['super'] },
    { username: 'beta', password: 'beta-sandbox-password', registrar: 'BETA', roles: ['super'] },
    { username: 'poor', password: 'poor-sandbox-password', registrar: 'POOR', roles: ['super'] },
    {
      username: 'alpha-billing',
      password: 'alpha-billing-sandbox-password',
      registrar: 'ALPHA',
      roles: ['billing'],
    },
  ],
};

/** Brings a migrated database to the seed; one that has it already stays as it is. */
export async function plantSeed(sql: Sql, policy: Policy, at: Date): Promise<void> {
  const change = { actor: 'sandbox', at };
  for (const { balance, ...registrar } of seed.registrars) {
    const created = await createRegistrar(sql, { ...registrar, email: undefined }, policy.currency, change);
    if (created) await openingBalance(sql, registrar.code, balance, at);
  }
  await Promise.all(seed.users.map((user) => createUser(sql, user, change)));
}

async function openingBalance(sql: Sql, registrar: string, balance: string, at: Date): Promise<void> {
  const amount = parseDecimal(balance) ?? 0n;
  await creditRegistrar(sql, {
    registrar,
    from: 'opening',
    amount,
    operation: 'opening',
    description: 'Opening balance',
    actor: 'sandbox',
    at,
  });
}
