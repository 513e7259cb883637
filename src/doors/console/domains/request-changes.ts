import { resendRequest } from '../../../registry/requests/resend-request.ts';
import { withdrawRequest } from '../../../registry/requests/withdraw-request.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { domainPage } from './domain-page.ts';
import { domainAddress } from './domains-page.ts';
import { loadOwnDomain } from './own-domain.ts';

const OF_REQUEST = {
  right: 'objects',
  page: domainPage,
  load: loadOwnDomain,
  to: ({ name }: { readonly name: string }) => domainAddress(name),
} as const;

/** Mails the registrant once more. */
const resend = defineAtOnce({
  ...OF_REQUEST,
  path: '/domains/:name/request/resend',
  read: (_form, { name }) => ({ value: { name } }),
  run: (database, input, context) => runRegistryOperation(database, resendRequest, input, context),
  done: 'requestSentAgain',
});

/** Asks the registrant no longer; who still wants the change asks again. */
const withdraw = defineAtOnce({
  ...OF_REQUEST,
  path: '/domains/:name/request/withdraw',
  alreadySo: ['requestMissing'],
  read: (_form, { name }) => ({ value: { name } }),
  run: (database, input, context) => runRegistryOperation(database, withdrawRequest, input, context),
  done: 'requestWithdrawn',
});

export const requestChanges = [resend, withdraw];
