import { readAmount } from '../../../billing/provider/everypay.ts';
import { wallClock } from '../../../platform/clock/clock.ts';
import type { Cents } from '../../../platform/values/money.ts';
import type { NewPayment } from './payments.ts';
import type { Simulator } from './simulator.ts';

/** An error answer of the API: `{"error": {"code", "message"}}`. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

type Members = Readonly<Record<string, unknown>>;

const CLOCKS_DIFFER_BY_MS = 5 * 60_000;
/** Letters, digits and the punctuation that banks accept; at most 255. */
const ORDER_REFERENCE = /^[a-zA-Z0-9/\-?:().,'+ ]{1,255}$/;
const NONCE = /^[\x21-\x7e]{1,255}$/;
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

export function readOneoffOrder(
  body: Members,
  { user, account }: Simulator,
): { nonce: string; payment: NewPayment } {
  checkSender(body, user);
  if (body.account_name !== account) throw new ApiError(422, 4003, 'account_name is unknown');
  const amount = readOrderAmount(body);
  const orderReference = matching(body, 'order_reference', ORDER_REFERENCE);
  const customerUrl = readReturnAddress(body.customer_url);
  return {
    nonce: matching(body, 'nonce', NONCE),
    payment: {
      orderReference,
      state: 'initial',
      initialAmount: amount,
      standingAmount: amount,
      customerUrl,
      customerIp: typeof body.customer_ip === 'string' ? body.customer_ip : null,
      email: typeof body.email === 'string' ? body.email : null,
      customerData: null,
      transactionTime: null,
    },
  };
}

export function readRefundOrder(
  body: Members,
  { user }: Simulator,
): { reference: string; amount: Cents; nonce: string } {
  checkSender(body, user);
  const amount = readOrderAmount(body);
  return {
    reference: matching(body, 'payment_reference', NONCE),
    amount,
    nonce: matching(body, 'nonce', NONCE),
  };
}

function checkSender({ api_username: username, timestamp }: Members, user: string): void {
  if (username !== user) throw new ApiError(403, 4002, 'api_username is not the one of the credentials');
  const sent = typeof timestamp === 'string' && ISO_TIME.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  // A provider uses the wall clock, independent of the sandbox clock.
  if (!(Math.abs(sent - wallClock.now().getTime()) <= CLOCKS_DIFFER_BY_MS))
    throw new ApiError(422, 4997, 'timestamp is invalid');
}

function readOrderAmount({ amount: value }: Members): Cents {
  const amount = readAmount(value);
  if (amount === undefined || amount === 0n)
    throw new ApiError(422, 4005, 'amount must be above zero and have at most two decimals');
  return amount;
}

/** A real provider refuses localhost; the sandbox usually runs on a developer's machine. */
function readReturnAddress(value: unknown): string {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value))
    throw new ApiError(422, 4006, 'customer_url is missing or no web address');
  return value;
}

function matching(body: Members, name: string, pattern: RegExp): string {
  const value = body[name];
  if (typeof value !== 'string' || !pattern.test(value))
    throw new ApiError(422, 4007, `${name} is missing or invalid`);
  return value;
}
