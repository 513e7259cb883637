import type { ShownDomain } from '../../../registry/lookup/look-up-domain.ts';
import { dayIn, dayOfTime } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import type { ShownStatus } from '../../html/status-words.ts';
import { type LookupSetting, textsIn } from './lookup-frame.ts';
import type { Situation, SituationDetails } from './lookup-texts.ts';

/** By the most important of its statuses. */
export function situationOf({
  statuses,
  isDelegated,
}: Pick<ShownDomain, 'statuses' | 'isDelegated'>): Situation {
  const has = (...any: readonly ShownStatus[]) => any.some((status) => statuses.includes(status));
  if (has('deleteCandidate')) return 'leaving';
  if (has('pendingDelete')) return 'redemption';
  if (has('serverForceDelete')) return 'forced';
  if (has('expired')) return has('clientHold', 'serverHold') ? 'stopped' : 'expired';
  if (has('clientHold', 'serverHold')) return 'held';
  return isDelegated ? 'working' : 'unused';
}

/** The colour is never the only sign: the text says the same. */
const COLOURS: Readonly<Record<Situation, string>> = {
  working: 'confirmed',
  unused: 'open',
  held: 'lapsed',
  expired: 'lapsed',
  stopped: 'failed',
  redemption: 'failed',
  forced: 'failed',
  leaving: 'failed',
};

const IS_LEAVING: ReadonlySet<Situation> = new Set(['expired', 'stopped', 'redemption', 'forced', 'leaving']);

/** What the domain is at now, and what its holder should do. */
export function situationBox(domain: ShownDomain, setting: LookupSetting): Html {
  const { situations, disputedDeletion } = textsIn(setting.lang);
  const situation = situationOf(domain);
  const details = situationDetails(domain, setting);
  const [what, advice] = situations[situation];
  const isAwaited = details.isDisputed && details.isGoingToBeDeleted && IS_LEAVING.has(situation);
  return html`<div class="outcome ${COLOURS[situation]} names"><p>${what}</p><p>${advice(details)}${isAwaited && ` ${disputedDeletion}`}</p></div>`;
}

type DatedDomain = Pick<ShownDomain, 'statuses' | 'isDelegated' | 'outzoneAt' | 'deleteDate'>;

/** Days that other statuses keep from coming are left out. */
export function situationDetails(
  { statuses, isDelegated, outzoneAt, deleteDate }: DatedDomain,
  { lang, policy }: Pick<LookupSetting, 'lang' | 'policy'>,
): SituationDetails {
  const has = (...any: readonly ShownStatus[]) => any.some((status) => statuses.includes(status));
  const isGoingToBeDeleted = !has('serverReleaseProhibited');
  return {
    outzone:
      outzoneAt === null || has('serverManualInzone')
        ? undefined
        : dayOfTime(lang, new Date(outzoneAt), policy),
    deletion: deleteDate === null || !isGoingToBeDeleted ? undefined : dayIn(lang, deleteDate),
    isGoingToBeDeleted,
    isDelegated,
    isRenewable: !has('clientRenewProhibited', 'serverRenewProhibited'),
    isHeldByRegistrar: has('clientHold'),
    isDisputed: has('disputed'),
  };
}
