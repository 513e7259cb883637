import type { LookupTexts } from './lookup-texts.ts';

const RENEWAL_LOCKED = 'Its renewal is locked; if it is yours, turn to your registrar.';

export const englishSituations: LookupTexts['situations'] = {
  working: [
    'The domain is registered and in the zone.',
    () => 'Web pages and mail work as far as its nameservers answer.',
  ],
  unused: [
    'The domain is registered, but not in use.',
    () => 'It has no nameservers, so web pages and mail under this name do not work.',
  ],
  held: [
    'The domain is on hold.',
    () =>
      'It is registered, but web pages and mail under this name do not work. If it is yours, ask your registrar for the reason.',
  ],
  expired: [
    'The domain has expired.',
    ({ outzone, deletion, isRenewable }) =>
      [
        ...(outzone ? [`It stops working on ${outzone}`] : []),
        ...(deletion ? [`${outzone ? ' and is deleted on' : 'It is deleted on'} ${deletion}`] : []),
        isRenewable
          ? `${outzone || deletion ? ', unless it is renewed. ' : ''}If it is yours, ask your registrar to renew it.`
          : `${outzone || deletion ? '. ' : ''}${RENEWAL_LOCKED}`,
      ].join(''),
  ],
  stopped: [
    'The domain has expired and no longer works.',
    ({ deletion, isGoingToBeDeleted, isRenewable, isHeldByRegistrar }) =>
      [
        !isGoingToBeDeleted
          ? 'The registry keeps it from being deleted'
          : deletion
            ? `It is deleted on ${deletion}`
            : 'It is going to be deleted',
        isRenewable ? (isGoingToBeDeleted ? ', unless it is renewed. ' : '. ') : '. ',
        isRenewable ? 'If it is yours, ask your registrar to renew it' : RENEWAL_LOCKED,
        !isRenewable
          ? ''
          : isHeldByRegistrar
            ? '. A renewal does not end the hold, which only the registrar can lift: ask for both.'
            : ': then it works again, unless it is on hold for another reason.',
      ].join(''),
  ],
  redemption: [
    'The domain was deleted and can still be brought back.',
    ({ deletion, isGoingToBeDeleted, isDelegated, isRenewable }) =>
      [
        isDelegated ? 'It still works' : 'It does not work',
        isGoingToBeDeleted
          ? `${isDelegated ? ', but' : ' and'} is removed for good${deletion ? ` on ${deletion}` : ''}. `
          : '. The registry keeps it from being removed. ',
        isRenewable
          ? `If it is yours and you want to keep it, ask your registrar to renew it${isGoingToBeDeleted ? ' before' : ''}.`
          : RENEWAL_LOCKED,
      ].join(''),
  ],
  forced: [
    'The registry has begun to delete the domain.',
    ({ deletion }) =>
      `${deletion ? `It is deleted on ${deletion}, unless the reason is removed before. ` : ''}If it is yours, you were told the reason by mail; turn to your registrar at once.`,
  ],
  leaving: [
    'The domain is about to be deleted.',
    ({ isDisputed }) =>
      `It is removed within a day and can no longer be saved.${isDisputed ? '' : ' After that the name can be registered again.'}`,
  ],
};
