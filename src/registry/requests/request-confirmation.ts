import type { ContactInfo, Domain } from '../domains/domain.ts';
import type { DomainParts } from '../domains/rules/domain-parts.ts';
import type { DomainChange } from '../domains/persist-domains.ts';
import { withStatus } from '../domains/rules/domain-statuses.ts';
import {
  confirmDeletionMail,
  confirmNewRegistrantMail,
  deadline,
  newRegistrantMail,
} from '../mails/registrant-mails.ts';
import type { Context } from '../operation.ts';
import type { RequestToken } from './request-store.ts';

const HOUR_MS = 3_600_000;

type RequestedChange =
  | { readonly kind: 'deletion' }
  | {
      readonly kind: 'registrant change';
      readonly newRegistrant: ContactInfo;
      readonly newTransferCode: string | undefined;
      readonly furtherChanges?: DomainParts | undefined;
    };

/** Mails the registrant for confirmation. Apart from its status the domain stays unchanged until the decision. */
export function requestConfirmation(
  domain: Domain,
  requested: RequestedChange,
  token: RequestToken,
  { principal, now, policy, publicUrl }: Context,
): DomainChange {
  const expiresAt = new Date(now.getTime() + policy.domains.confirmationHours * HOUR_MS);
  const mailDetails = {
    domain,
    registrar: principal.registrarName,
    link: `${publicUrl}/confirm/${token}`,
    until: deadline(expiresAt, policy),
  };
  if (requested.kind === 'deletion')
    return {
      operation: 'ask for deletion',
      before: domain,
      after: { ...domain, statuses: withStatus(domain.statuses, 'pendingDeleteConfirmation') },
      request: { kind: requested.kind, token, expiresAt },
      mails: [confirmDeletionMail(mailDetails)],
    };
  const { newRegistrant, newTransferCode, furtherChanges } = requested;
  return {
    operation: 'ask for registrant change',
    before: domain,
    after: { ...domain, statuses: withStatus(domain.statuses, 'pendingUpdate') },
    request: {
      kind: requested.kind,
      newRegistrantId: newRegistrant.id,
      newTransferCode,
      token,
      expiresAt,
      ...(furtherChanges && { furtherChanges }),
    },
    mails: [
      confirmNewRegistrantMail({ ...mailDetails, newRegistrant }),
      newRegistrantMail({ ...mailDetails, newRegistrant }),
    ],
  };
}
