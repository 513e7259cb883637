import {
  requestCertificate,
  withdrawCertificateRequest,
} from '../../../registry/certificates/certificate-requests.ts';
import { certificatePem, revokeCertificate } from '../../../registry/certificates/certificates.ts';
import { changeBy } from '../account/person-change.ts';
import type { ConsoleChange, ConsoleExport } from '../page.ts';
import { accessTexts } from './access-texts.ts';
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

export const certificateChanges: readonly ConsoleChange[] = [
  {
    ...{ path: '/access/users/:user/request', ...DANGEROUS },
    longFields: ['request'],
    run: async (parts, visit, input) => {
      const shown = await loadUser(parts, visit, input);
      if (!shown) return undefined;
      const { username } = shown.user;
      const request = input.field('request').slice(0, MAX_REQUEST + 1);
      const change = { ...changeBy(visit), registrarId: visit.session.registrarId };
      const outcome = await requestCertificate(parts.database.writes, { username, request }, change);
      if (outcome === 'requested') return { to: userAddress(username), notice: 'certificateRequested' };
      const { faults } = accessTexts(visit.lang);
      const text = {
        unusable: faults.request,
        'other name': faults.otherName,
        'not possible': faults.notPossible,
      };
      const refused = { request, faults: { request: text[outcome] } };
      return {
        ...userView(shown, visit, parts, refused),
        status: outcome === 'not possible' ? 409 : 400,
      };
    },
  },
  {
    ...{ path: '/access/users/:user/withdraw-request', ...DANGEROUS },
    run: async (parts, visit, input) => {
      const shown = await loadUser(parts, visit, input);
      if (!shown) return undefined;
      const { username } = shown.user;
      const change = { ...changeBy(visit), registrarId: visit.session.registrarId };
      const isDone = await withdrawCertificateRequest(parts.database.writes, username, change);
      return { to: userAddress(username), ...(isDone && { notice: 'certificateRequestWithdrawn' }) };
    },
  },
  {
    ...{ path: '/access/certificates/:serial/revoke', ...DANGEROUS },
    run: async ({ database }, visit, { params: { serial = '' } }) => {
      if (!SERIAL.test(serial)) return undefined;
      const change = { ...changeBy(visit), reason: 'by the registrar, in the console' };
      const username = await revokeCertificate(database.writes, serial, change);
      return username === undefined ? undefined : { to: userAddress(username), notice: 'certificateRevoked' };
    },
  },
];
