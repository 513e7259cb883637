import { certificatePem } from '../../../registry/certificates/certificates.ts';
import { requestCertificate } from '../../../registry/certificates/request-certificate.ts';
import { revokeCertificate } from '../../../registry/certificates/revoke-certificate.ts';
import { withdrawCertificateRequest } from '../../../registry/certificates/withdraw-certificate-request.ts';
import { carryOutFor } from '../account/person-change.ts';
import type { ConsoleChange, ConsoleExport } from '../page.ts';
import { type AccessTexts, accessTexts } from './access-texts.ts';
import { loadUser, userAddress, userView } from './user-page.ts';

const SERIAL = /^[0-9a-f]{1,64}$/i;
const MAX_REQUEST = 20_000;
const DANGEROUS = { right: 'access', needsRecentLogin: true } as const;

/** A certificate of one of the registrar's users. */
export const certificateExport: ConsoleExport = {
  ...{ path: '/access/certificates/:serial', right: 'access' },
  download: async ({ database }, { session }, { params: { serial = '' } }) => {
    const pem = SERIAL.test(serial)
      ? await certificatePem(database.reads, serial, session.registrarId)
      : undefined;
    if (pem === undefined) return undefined;
    const pieces = (async function* () {
      yield pem;
    })();
    return { fileName: `${serial}.crt`, type: 'application/x-pem-file', pieces };
  },
};

/** Any other refusal is that of a user who has a request already, or is gone. */
const FAULTS: Readonly<Record<string, Extract<keyof AccessTexts['faults'], 'request' | 'otherName'>>> = {
  requestUnusable: 'request',
  requestOfAnother: 'otherName',
};

export const certificateChanges: readonly ConsoleChange[] = [
  {
    ...{ path: '/access/users/:user/request', ...DANGEROUS },
    longFields: ['request'],
    run: async (parts, visit, input) => {
      const shown = await loadUser(parts, visit, input);
      if (!shown) return undefined;
      const { username } = shown.user;
      const request = input.field('request').slice(0, MAX_REQUEST + 1);
      const outcome = await carryOutFor(visit, parts, requestCertificate, { username, request });
      if ('answer' in outcome) return { to: userAddress(username), notice: 'certificateRequested' };
      const fault = FAULTS[outcome.refused[0]];
      const refused = {
        request,
        faults: { request: accessTexts(visit.lang).faults[fault ?? 'notPossible'] },
      };
      return { ...userView(shown, visit, parts, refused), status: fault ? 400 : 409 };
    },
  },
  {
    ...{ path: '/access/users/:user/withdraw-request', ...DANGEROUS },
    run: async (parts, visit, input) => {
      const shown = await loadUser(parts, visit, input);
      if (!shown) return undefined;
      const { username } = shown.user;
      const outcome = await carryOutFor(visit, parts, withdrawCertificateRequest, { username });
      const isDone = 'answer' in outcome;
      return { to: userAddress(username), ...(isDone && { notice: 'certificateRequestWithdrawn' }) };
    },
  },
  {
    ...{ path: '/access/certificates/:serial/revoke', ...DANGEROUS },
    run: async (parts, visit, { params: { serial = '' } }) => {
      if (!SERIAL.test(serial)) return undefined;
      const given = { reason: { text: 'by the registrar, in the console' } };
      const outcome = await carryOutFor(visit, parts, revokeCertificate, { serial }, given);
      if (!('answer' in outcome)) return undefined;
      return { to: userAddress(outcome.answer.username), notice: 'certificateRevoked' };
    },
  },
];
