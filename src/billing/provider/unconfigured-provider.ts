import { type PaymentProvider, ProviderUnavailable } from './provider.ts';

const fail = (): never => {
  throw new ProviderUnavailable('no payment provider is configured');
};

/** Where no provider is configured: whatever needs one waits. */
export const noProvider: PaymentProvider = {
  accountName: '',
  payment: async () => fail(),
  oneoff: async () => fail(),
  refund: async () => fail(),
  link: fail,
};
