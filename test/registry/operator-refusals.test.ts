import { describe, expect, test } from 'vitest';
import { markStagingCopy } from '../../src/installation/mark-staging-copy.ts';
import { carryOut, type OperatorOperation } from '../../src/operations/operator-operation.ts';
import { confirmRecovery } from '../../src/recovery/confirm-recovery.ts';
import { cancelServerStatus } from '../../src/registry/domains/cancel-server-status.ts';
import { liftForceDelete } from '../../src/registry/domains/lift-force-delete.ts';
import { restoreDomain } from '../../src/registry/domains/restore-domain.ts';
import { setServerStatus } from '../../src/registry/domains/set-server-status.ts';
import { importReserved } from '../../src/registry/names/import-reserved.ts';
import { createPerson } from '../../src/registry/people/create-person.ts';
import { createRegistrar } from '../../src/registry/registrars/create-registrar.ts';
import { addSecondary } from '../../src/registry/secondaries/add-secondary.ts';
import { createSecondaryKey } from '../../src/registry/secondaries/create-secondary-key.ts';
import { replacePassword } from '../../src/registry/users/replace-password.ts';
import { rebuildByOperator } from '../../src/registry/zones/rebuild-by-operator.ts';
import { setDelegationSigners } from '../../src/registry/zones/set-delegation-signers.ts';
import { coreForThisFile } from '../support/core.ts';
import { operator } from '../support/operator.ts';
import { sql } from '../support/sql.ts';

const core = coreForThisFile();
const change = <Input>(operation: OperatorOperation<Input, unknown>, input: Input) =>
  carryOut(core.database.writes, operation, input, operator());
const writtenHistory = async () =>
  (await core.database.reads.one(sql<{ id: number }>`select coalesce(max(id), 0)::int as id from history`))
    .id;

const nowhere = { name: 'nowhere.ee' };
const signer = { name: 'signer', address: '192.0.2.53', port: 53 };
const person = {
  email: 'kati@example.ee',
  name: 'Kati',
  language: 'et',
  passwordHash: 'hash',
  registrar: 'NOBODY',
  roles: ['reader'],
} as const;

/** What is refused, and as what, where nothing else was done before. */
const refused: readonly (readonly [what: string, refusal: string, work: () => Promise<unknown>])[] = [
  [
    'a status of a free name',
    'domainMissing',
    () => change(setServerStatus, { ...nowhere, status: 'serverHold', note: '' }),
  ],
  [
    'an end of its status',
    'domainMissing',
    () => change(cancelServerStatus, { ...nowhere, status: 'serverHold' }),
  ],
  ['an end of its force delete', 'domainMissing', () => change(liftForceDelete, nowhere)],
  ['its restoration', 'domainMissing', () => change(restoreDomain, nowhere)],
  [
    'a registrar with a phone that is none',
    'phoneInvalid',
    () => change(createRegistrar, { code: 'GAMMA', name: 'Gamma', phone: '5' }),
  ],
  [
    'a registrar with an address of mail that is none',
    'emailInvalid',
    () => change(createRegistrar, { code: 'GAMMA', name: 'Gamma', abuseEmail: 'abuse' }),
  ],
  ['a person of no registrar', 'registrarMissing', () => change(createPerson, person)],
  [
    'a short password',
    'userPasswordLength',
    () => change(replacePassword, { username: 'alpha', password: 'short', oldUntil: undefined }),
  ],
  [
    'a key with a name that is none',
    'secondaryNameInvalid',
    () => change(createSecondaryKey, { name: 'Not a name', secondary: 'signer', algorithm: 'hmac-sha256' }),
  ],
  [
    'the rebuilding of another zone',
    'zoneUnknown',
    () => change(rebuildByOperator, { zone: 'example', publishedAt: new Date() }),
  ],
  [
    'delegation signers of a zone that no other delegates',
    'zoneNotDelegated',
    () => change(setDelegationSigners, { zone: 'ee', signers: [] }),
  ],
  ['a sandbox as a staging copy', 'sandboxNeverStaging', () => change(markStagingCopy, {})],
  [
    'a sandbox as the original',
    'sandboxNeverOriginal',
    () =>
      change(confirmRecovery, {
        place: { systemIdentifier: null, databaseOid: 1, hosts: [] },
        withoutRepair: true,
      }),
  ],
];

describe('what operators are refused', () => {
  test.each(refused)('failure: %s (%s)', async (_what, name, work) => {
    const before = await writtenHistory();
    await expect(work()).rejects.toMatchObject({ refusals: [{ name }] });
    expect(await writtenHistory()).toBe(before);
  });

  test('failure: a secondary twice', async () => {
    await change(addSecondary, signer);
    await expect(change(addSecondary, signer)).rejects.toMatchObject({
      refusals: [{ name: 'secondaryTaken' }],
    });
  });

  test('failure: an import of a registered name', async () => {
    const name = await core.domain(await core.context('alpha'));
    await expect(change(importReserved, [{ name, expiresAt: null }])).rejects.toMatchObject({
      refusals: [{ name: 'nameRegistered' }],
    });
  });
});
