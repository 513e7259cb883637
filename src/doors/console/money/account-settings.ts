import { MAX_TOP_UP, parseTopUp } from '../../../billing/invoices/order-top-up.ts';
import type { Parsed, Refusal } from '../../../operations/refusal.ts';
import { type Cents, parseAmount, toDecimal } from '../../../platform/values/money.ts';
import type { Policy } from '../../../policy/policy.ts';
import { type AccountSettings, changeOwnAccount } from '../../../registry/registrars/change-own-account.ts';
import { readOwnAccount } from '../../../registry/registrars/own-account.ts';
import { amountIn } from '../../html/amount-in.ts';
import type { Field } from '../../html/form.ts';
import { refusal } from '../form-refusals.ts';
import { consoleAddress, type FormInput } from '../console-page.ts';
import { definePreviewed } from '../previewed-form.ts';
import { MONEY_FIELDS } from '../render-refusals.ts';
import { writtenAmount } from './amount-text.ts';
import { balanceTexts } from './balance-texts.ts';
import { formTexts } from './form-texts.ts';

/** The warning of a low balance, and the automatic invoice. */
export const accountSettings = definePreviewed({
  path: '/balance/settings',
  right: 'money',
  isUnpriced: true,
  names: MONEY_FIELDS,
  load: ({ database }, { principal }) => readOwnAccount(database.reads, principal),
  texts: (_account, { lang }) => {
    const { settings, back } = formTexts(lang);
    const { title, lead, confirm } = settings;
    return { title, lead, confirm, back: { to: consoleAddress('/balance'), text: back } };
  },
  fields: ({ lowBalance, topUpAmount, topUpThreshold }, values, { lang }) => {
    const texts = formTexts(lang).settings;
    const field = (name: string, label: string, hint: string, cents: string | null): Field => ({
      name,
      label,
      hint,
      isOptional: true,
      maxLength: 20,
      value: values(name, cents === null ? '' : toDecimal(BigInt(cents))),
    });
    return [
      field('low_balance', texts.lowBalance, texts.lowBalanceHint, lowBalance),
      field('amount', texts.amount, texts.amountHint, topUpAmount),
      field('threshold', texts.threshold, texts.thresholdHint, topUpThreshold),
    ];
  },
  read: (form, _account, { policy }) => readSettings(form, policy),
  run: changeOwnAccount,
  preview: ({ lowBalance, topUp }, { currency }, { lang }) => {
    const texts = balanceTexts(lang);
    const money = (cents: Cents) => amountIn(lang, cents, currency);
    return [
      [texts.warning, lowBalance === undefined ? texts.notWarned : texts.warnedBelow(money(lowBalance))],
      [
        texts.automatic,
        topUp ? texts.automaticOf(money(topUp.amount), money(topUp.threshold)) : texts.notAutomatic,
      ],
    ];
  },
  done: () => ({ to: consoleAddress('/balance'), notice: 'accountSettingsChanged' }),
});

function readSettings(form: FormInput, policy: Policy): Parsed<AccountSettings> {
  const [low, amount, threshold] = ['low_balance', 'amount', 'threshold'].map((name) =>
    writtenAmount(form.field(name)),
  );
  const isAutomatic = amount !== '' || threshold !== '';
  const lowBalance = low === '' ? undefined : parseBalance(low, 'low_balance');
  const net = isAutomatic ? parseTopUp(amount, policy) : undefined;
  const at = isAutomatic ? parseBalance(threshold, 'threshold') : undefined;
  const refusals = [lowBalance, net, at].flatMap((parsed): readonly Refusal[] =>
    parsed && 'refusals' in parsed ? parsed.refusals : [],
  );
  if (refusals.length > 0) return { refusals };
  const parsedValue = (parsed: Parsed<Cents> | undefined) =>
    parsed && 'value' in parsed ? parsed.value : undefined;
  const [topUpAmount, topUpThreshold] = [parsedValue(net), parsedValue(at)];
  const topUp =
    topUpAmount === undefined || topUpThreshold === undefined
      ? undefined
      : { amount: topUpAmount, threshold: topUpThreshold };
  return { value: { lowBalance: parsedValue(lowBalance), topUp } };
}

/** A balance at which something happens. */
function parseBalance(text: string | undefined, field: string): Parsed<Cents> {
  const cents = parseAmount(text ?? '');
  if (cents === undefined)
    return { refusals: [refusal('wrongSyntax', { field, expected: 'an amount such as 100.00' })] };
  if (cents > MAX_TOP_UP)
    return { refusals: [refusal('outOfRange', { field, expected: `at most ${toDecimal(MAX_TOP_UP)}` })] };
  return { value: cents };
}
