import { certificatePem, listCertificates } from '../../../registry/certificates/certificates.ts';
import { requestCertificate } from '../../../registry/certificates/request-certificate.ts';
import { revokeCertificate } from '../../../registry/certificates/revoke-certificate.ts';
import { withdrawCertificateRequest } from '../../../registry/certificates/withdraw-certificate-request.ts';
import { momentIn } from '../../html/language.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { defineConfirmed } from '../confirmed-form.ts';
import { asPerson } from '../form-context.ts';
import { type ConsoleChange, type ConsoleExport, wholeFile } from '../console-page.ts';
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

export const certificateChanges: readonly ConsoleChange[] = [
  defineAtOnce({
    ...OF_USER,
    path: '/access/users/:user/request',
    fields: ['request'],
    longFields: ['request'],
    names: { request: 'request' },
    read: ({ field }, { user: { username } }) => ({
      value: { username, request: field('request').slice(0, MAX_REQUEST + 1) },
    }),
    run: asPerson(requestCertificate),
    done: 'certificateRequested',
  }),
  defineAtOnce({
    ...OF_USER,
    path: '/access/users/:user/withdraw-request',
    read: (_form, { user: { username } }) => ({ value: { username } }),
    run: asPerson(withdrawCertificateRequest),
    overtaken: ['noRequestWaits'],
    done: 'certificateRequestWithdrawn',
  }),
];

/** A revoked certificate lets nobody in any more. */
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
      [texts.validUntil, momentIn(lang, validUntil, policy)],
      [texts.revocation.happens, texts.revocation.lead],
    ];
  },
  read: (_form, { serial }) => ({ value: { serial } }),
  run: asPerson(revokeCertificate, { text: 'by the registrar, in the console' }),
  done: (_stored, _input, { user }) => ({ to: userAddress(user), notice: 'certificateRevoked' }),
});
