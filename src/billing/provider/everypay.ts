import { randomInt } from 'node:crypto';
import { wallClock } from '../../platform/clock/clock.ts';
import { type Cents, parseAmount, toDecimal } from '../../platform/values/money.ts';
import { DEFAULT_RETRY_POLICY, type ProviderRetryPolicy, withCircuitBreaker } from './circuit-breaker.ts';
import { type Answer, exchange, type ProviderRequest, type Refusal } from './exchange.ts';
import { signedLink } from './payment-links.ts';
import {
  type Oneoff,
  type PaymentProvider,
  type ProviderPayment,
  ProviderRefused,
  ProviderUnavailable,
} from './provider.ts';

/** A URL that may be known only once a server listens. */
type Address = string | (() => string);

export type EveryPaySettings = {
  /** The base URL of the API, including its version. */
  readonly url: Address;
  /** The base URL of signed payment links. */
  readonly linkUrl: Address;
  readonly user: string;
  readonly secret: string;
  readonly account: string;
  readonly linkToken: string;
};

const NONCE_DIGITS = 30;

/** EveryPay, API version 4. */
export function everyPay(
  settings: EveryPaySettings,
  retryPolicy: ProviderRetryPolicy = DEFAULT_RETRY_POLICY,
): PaymentProvider {
  const { user, secret, account } = settings;
  const { reading, writing } = withCircuitBreaker(retryPolicy);
  const ask = (path: string, request: Omit<ProviderRequest, 'url' | 'authorization'>) =>
    exchange({ ...request, url: at(settings.url) + path, authorization: basic(user, secret) });
  const order = (path: string, amount: Cents, members: Readonly<Record<string, unknown>>) =>
    ask(path, {
      body: withAmount(amount, { ...members, api_username: user, timestamp: wallClock.now().toISOString() }),
      withinMs: retryPolicy.writeTimeoutMs,
    });

  const payment = async (reference: string): Promise<ProviderPayment | undefined> => {
    const path = `/payments/${encodeURIComponent(reference)}?api_username=${encodeURIComponent(user)}`;
    const answer = await reading(async () => {
      const response = await ask(path, { withinMs: retryPolicy.readTimeoutMs });
      if (isRefusal(response)) return response;
      return readPayment(response, reference) ?? unreadable();
    });
    if (!isRefusal(answer)) return answer;
    if (answer.status === 404) return undefined;
    throw refused(answer);
  };

  return {
    accountName: account,
    payment,
    oneoff: async ({ amount, orderReference, customerUrl, referenceNumber }) => {
      const members = {
        account_name: account,
        order_reference: orderReference,
        request_token: false,
        nonce: newNonce(),
        customer_url: customerUrl,
        preferred_country: 'EE',
        locale: 'en',
        structured_reference: referenceNumber ?? '',
      };
      const answer = await writing(async () => {
        const response = await order('/payments/oneoff', amount, members);
        return isRefusal(response) ? response : readOneoff(response);
      });
      if (isRefusal(answer)) throw refused(answer);
      return answer;
    },
    refund: async ({ reference, amount, nonce }) => {
      const members = { payment_reference: reference, nonce };
      const answer = await writing(() => order('/payments/refund', amount, members));
      if (isRefusal(answer)) throw refused(answer);
      // The refund is done by now: an incomplete answer must not be reported as a failure.
      return readPayment(answer, reference) ?? (await payment(reference)) ?? unreadable();
    },
    link: (linkOrder) => signedLink(at(settings.linkUrl), linkOrder, settings),
  };
}

const at = (address: Address): string => (typeof address === 'string' ? address : address());
const basic = (user: string, secret: string): string =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
const newNonce = (): string => Array.from({ length: NONCE_DIGITS }, () => randomInt(10)).join('');

/** The amount is written as decimal text, never through a floating-point number. */
const withAmount = (amount: Cents, members: Readonly<Record<string, unknown>>): string =>
  `{"amount":${toDecimal(amount)},${JSON.stringify(members).slice(1)}`;

const isRefusal = (answer: object): answer is Refusal => 'refusal' in answer;
const refused = ({ refusal: { code, message } }: Refusal) => new ProviderRefused(code, message);

function unreadable(): never {
  throw new ProviderUnavailable('The provider answered something that cannot be read.');
}

function readOneoff(answer: Answer): Oneoff {
  const [reference, link, state] = ['payment_reference', 'payment_link', 'payment_state'].map((name) =>
    textOf(answer, name),
  );
  if (!reference || !link || !state || !URL.canParse(link)) return unreadable();
  return { reference, link, state };
}

/** Undefined where a field is missing, or where the answer is about another payment. */
function readPayment(answer: Answer, reference: string): ProviderPayment | undefined {
  const orderReference = textOf(answer, 'order_reference');
  const state = textOf(answer, 'payment_state');
  const accountName = textOf(answer, 'account_name');
  const initialAmount = readAmount(answer.initial_amount);
  const standingAmount = readAmount(answer.standing_amount);
  if (answer.payment_reference !== reference) return undefined;
  if (orderReference === undefined || state === undefined || accountName === undefined) return undefined;
  if (initialAmount === undefined || standingAmount === undefined) return undefined;
  return { reference, orderReference, state, initialAmount, standingAmount, accountName, answer };
}

/** An amount in the provider's JSON: 20, 20.5 or 20.50, as number or text; more than two decimals are invalid. */
export function readAmount(value: unknown): Cents | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  // The shortest text of such a number is the one it was parsed from.
  return parseAmount(String(value));
}

function textOf(answer: Answer, name: string): string | undefined {
  const value = answer[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
