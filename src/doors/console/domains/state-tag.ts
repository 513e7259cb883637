import type { Policy } from '../../../policy/policy.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import type { Visit } from '../console-page.ts';

/** What matters most about a domain to its registrar, the worst first. */
const STATES = [
  'deleting',
  'heldByRegistry',
  'expired',
  'forceDelete',
  'disputed',
  'waiting',
  'held',
  'expiring',
  'active',
] as const;
export type DomainState = (typeof STATES)[number];

type Tone = 'ok' | 'warn' | 'error' | 'waiting' | 'neutral';
const TONES: Readonly<Record<DomainState, Tone>> = {
  deleting: 'error',
  heldByRegistry: 'error',
  expired: 'error',
  forceDelete: 'error',
  disputed: 'warn',
  waiting: 'waiting',
  held: 'neutral',
  expiring: 'warn',
  active: 'ok',
};

const DAY_MS = 86_400_000;

type Seen = {
  readonly statuses: readonly string[];
  /** Where the statuses are those that are stored. */
  readonly isDisputed?: boolean;
  readonly expireTime: Date;
};

export function stateOf(
  { statuses, isDisputed = false, expireTime }: Seen,
  now: Date,
  { domains }: Policy,
): DomainState {
  const has = (...names: readonly string[]) => names.some((name) => statuses.includes(name));
  const applies: Readonly<Record<DomainState, boolean>> = {
    deleting: has('pendingDelete'),
    heldByRegistry: has('serverHold'),
    expired: expireTime <= now,
    forceDelete: has('serverForceDelete'),
    disputed: isDisputed || has('disputed'),
    waiting: has('pendingUpdate', 'pendingDeleteConfirmation'),
    held: has('clientHold'),
    expiring: daysLeft(expireTime, now) <= domains.expiryNoticeDays,
    active: true,
  };
  return STATES.find((state) => applies[state]) ?? 'active';
}

const daysLeft = (expireTime: Date, now: Date): number =>
  Math.ceil((expireTime.getTime() - now.getTime()) / DAY_MS);

/** One word and one colour; the codes that other interfaces show are on hover. */
export function stateTag(seen: Seen, { lang, now }: Visit, policy: Policy): Html {
  const state = stateOf(seen, now, policy);
  const text = TEXTS[lang][state](daysLeft(seen.expireTime, now));
  const codes = seen.statuses.length > 0 && html` title="${seen.statuses.join(', ')}"`;
  return html`<span class="tag ${TONES[state]}"${codes}>${text}</span>`;
}

type StateTexts = Readonly<Record<DomainState, (days: number) => string>>;

const english: StateTexts = {
  deleting: () => 'Being deleted',
  heldByRegistry: () => 'On hold by the registry',
  expired: () => 'Expired',
  forceDelete: () => 'Forced deletion',
  disputed: () => 'Under dispute',
  waiting: () => 'Waiting for the registrant',
  held: () => 'On hold by you',
  expiring: (days) => (days === 1 ? 'Expires within a day' : `Expires in ${days} days`),
  active: () => 'Active',
};

const estonian: StateTexts = {
  deleting: () => 'Kustutamisel',
  heldByRegistry: () => 'Registri peatatud',
  expired: () => 'Aegunud',
  forceDelete: () => 'Sundkustutamisel',
  disputed: () => 'Vaidluse all',
  waiting: () => 'Ootab registreerijat',
  held: () => 'Sinu peatatud',
  expiring: (days) => (days === 1 ? 'Aegub päeva jooksul' : `Aegub ${days} päeva pärast`),
  active: () => 'Aktiivne',
};

const TEXTS: Readonly<Record<Language, StateTexts>> = { en: english, et: estonian };
