import {
  requestCertificate,
  withdrawCertificateRequest,
} from '../../../registry/certificates/certificate-requests.ts';
import {
  certificatePem,
  listCertificates,
  revokeCertificate,
} from '../../../registry/certificates/certificates.ts';
import { timeIn } from '../../html/language.ts';
import { changeBy } from '../account/person-change.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { defineConfirmed } from '../confirmed-form.ts';
import { found, NOTHING_DONE } from '../form-context.ts';
import { refuse } from '../form-refusals.ts';
import { type ConsoleChange, type ConsoleExport, wholeFile } from '../page.ts';
import { accessTexts } from './access-texts.ts';
import { loadUser, type ShownUser, userAddress, userPage } from './user-page.ts';

const SERIAL = /^[0-9a-f]{1,64}$/i;
const MAX_REQUEST = 20_000;
const DANGEROUS = { right: 'access', needsRecentLogin: true } as const;

/** A certificate of one of the registrar's users. */
export const certificateExport: ConsoleExport = {
  path: '/access/certificates/:serial',
  right: 'access',
  download: async ({ database }, { session }, { params: { serial = '' } }) => {
    const pem = SERIAL.test(serial)
      ? await certificatePem(database.reads, serial, session.registrarId)
      : undefined;
    return pem === undefined ? undefined : wholeFile(`${serial}.crt`, 'application/x-pem-file', pem);
  },
};

const OF_USER = {
  ...DANGEROUS,
  page: userPage,
  load: loadUser,
  to: ({ user }: ShownUser) => userAddress(user.username),
} as const;

const REFUSALS = {
  unusable: 'requestUnusable',
  'other name': 'requestOfAnother',
  'not possible': 'requestWaits',
} as const;

export const certificateChanges: readonly ConsoleChange[] = [
  defineAtOnce({
    ...OF_USER,
    path: '/access/users/:user/request',
    fields: ['request'],
    longFields: ['request'],
    read: ({ field }, { user: { username } }, _parts, visit) => ({
      value: { username, request: field('request').slice(0, MAX_REQUEST + 1), change: changeBy(visit) },
    }),
    run: async (database, { username, request, change }) => {
      const outcome = await requestCertificate(database.writes, { username, request }, change);
      return outcome === 'requested' ? NOTHING_DONE : refuse(REFUSALS[outcome], { field: 'request' });
    },
    done: 'certificateRequested',
  }),
  defineAtOnce({
    ...OF_USER,
    path: '/access/users/:user/withdraw-request',
    read: (_form, { user: { username } }, _parts, visit) => ({
      value: { username, change: changeBy(visit) },
    }),
    run: async (database, { username, change }) =>
      (await withdrawCertificateRequest(database.writes, username, change))
        ? NOTHING_DONE
        : refuse('noRequestWaits'),
    overtaken: ['noRequestWaits'],
    done: 'certificateRequestWithdrawn',
  }),
];

/** What holds a revoked certificate is shut out for good. */
export const certificateRevocation = defineConfirmed({
  ...DANGEROUS,
  path: '/access/certificates/:serial/revoke',
  load: async ({ database }, { session: { registrarCode: registrar }, now }, { params: { serial } }) => {
    const listed = await listCertificates(database.reads, now, { registrar });
    return listed.find((each) => each.serial === serial && each.status === 'valid');
  },
  texts: ({ user }, { lang }) => {
    const { revocation, revoke } = accessTexts(lang);
    return {
      title: revocation.title,
      confirm: revoke,
      back: { to: userAddress(user), text: revocation.back },
    };
  },
  consequence: ({ serial, user, validUntil }, { lang }, { policy }) => {
    const texts = accessTexts(lang);
    return [
      [texts.username, user],
      [texts.serial, serial],
      [texts.validUntil, timeIn(lang, validUntil, policy)],
      [texts.revocation.happens, texts.revocation.lead],
    ];
  },
  read: (_form, { serial }, _parts, visit) => ({ value: { serial, change: changeBy(visit) } }),
  run: (database, { serial, change }) => {
    const reason = 'by the registrar, in the console';
    const revoked = revokeCertificate(database.writes, serial, { ...change, reason });
    return found(revoked.then((username) => username !== undefined));
  },
  done: (_stored, _input, { user }) => ({ to: userAddress(user), notice: 'certificateRevoked' }),
});
