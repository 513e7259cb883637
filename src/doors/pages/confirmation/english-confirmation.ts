import { html } from '../../html/layout.ts';
import type { ConfirmationTexts } from './confirmation-texts.ts';

export const english: ConfirmationTexts = {
  domain: 'Domain',
  registrar: 'Registrar',
  registrant: 'Present registrant',
  newRegistrant: 'New registrant',
  requestedAt: 'Asked',
  answerBy: 'Answer by',
  someNewRegistrant: 'the new registrant',
  reject: 'Reject',
  surprised:
    'If you know nothing of this request or do not agree with it, reject it and get in touch with your registrar.',
  confirm: { 'registrant change': 'Confirm the change', deletion: 'Confirm the deletion' },
  heading: {
    'registrant change': (domain) => `A new registrant for ${domain}`,
    deletion: (domain) => `Deletion of ${domain}`,
  },
  asks: {
    'registrant change': ({ registrar, domain, newRegistrant }) =>
      html`The registrar ${registrar} asks that ${newRegistrant} become the registrant of the domain ${domain}. Do you agree?`,
    deletion: ({ registrar, domain }) =>
      html`The registrar ${registrar} asks to delete the domain ${domain}. Do you agree?`,
  },
  ifConfirmed: {
    'registrant change': ({ newRegistrant }) =>
      html`If you confirm, ${newRegistrant} becomes the registrant at once and your right to the domain ends.`,
    deletion: ({ redemptionDays }) =>
      html`If you confirm, the domain stops working at once and is removed for good after ${redemptionDays} days. Until then the registrar can bring it back by renewing it.`,
  },
  furtherChanges: 'The registrar asked for further changes of the domain, which are made at the same time.',
  ifNot: {
    'registrant change': 'If you reject or do not answer, everything stays as it is.',
    deletion: 'If you reject or do not answer, the domain is not deleted.',
  },
  outcome: {
    'registrant change': {
      confirmed: ({ domain, newRegistrant }) => [
        'The change was confirmed.',
        html`The domain ${domain} passed to ${newRegistrant}. The registrar has been told.`,
      ],
      rejected: () => [
        'The change was rejected.',
        'The registrant stays the same. The registrar has been told.',
      ],
      lapsed: () => [
        'The time to answer is over.',
        'The registrant was not changed. If the change is still wanted, the registrar has to ask again.',
      ],
      failed: () => [
        'The change was confirmed, but could not be carried out.',
        'Something had changed since it was asked for. The registrant stays the same. The registrar knows the reason; please turn to them.',
      ],
      withdrawn: () => [
        'This request no longer stands.',
        'It did not change the registrant, and you need not answer it.',
      ],
    },
    deletion: {
      confirmed: ({ domain, redemptionDays }) => [
        'The deletion was confirmed.',
        html`${domain} is removed for good ${redemptionDays} days after that. Until then the registrar can bring it back by renewing it.`,
      ],
      rejected: () => [
        'The deletion was rejected.',
        'The domain was not deleted. The registrar has been told.',
      ],
      lapsed: () => [
        'The time to answer is over.',
        'The domain was not deleted. If the deletion is still wanted, the registrar has to ask again.',
      ],
      failed: () => [
        'The deletion was confirmed, but could not be carried out.',
        'Something had changed since it was asked for. The domain was not deleted. The registrar knows the reason; please turn to them.',
      ],
      withdrawn: () => [
        'This request no longer stands.',
        'It did not delete the domain, and you need not answer it.',
      ],
    },
  },
  backToRequest: 'Back to the request',
  notice: {
    unknown: [
      'There is nothing to confirm here',
      'Please check that you opened the whole link as it stands in the mail. Old links no longer work.',
    ],
    notUnderstood: [
      'The answer was not understood',
      'Nothing was changed. Please choose one of the two buttons.',
    ],
    tooMany: ['Too many attempts', 'Please wait a minute and open the link again.'],
    unavailable: [
      'The registry cannot be reached at the moment',
      'Please try again in a few minutes. If your answer has arrived already, you will see it here then.',
    ],
    fault: [
      'Something went wrong',
      'The mistake is ours and has been written down. Please try again later. If your answer has arrived already, you will see it here then.',
    ],
  },
};
