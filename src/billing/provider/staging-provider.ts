import { type PaymentProvider, ProviderUnavailable } from './provider.ts';

/** Calls nobody while this is a copy, even if it became one a moment ago: what needs the provider stays pending. */
export function exceptInCopies(provider: PaymentProvider, isCopy: () => boolean): PaymentProvider {
  const requireOriginal = () => {
    if (isCopy()) throw new ProviderUnavailable('this is a copy of the registry, which calls no provider');
  };
  const guarded =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      requireOriginal();
      return call(...args);
    };
  return {
    accountName: provider.accountName,
    payment: guarded((reference: string) => provider.payment(reference)),
    oneoff: guarded((order) => provider.oneoff(order)),
    refund: guarded((order) => provider.refund(order)),
    link(order) {
      requireOriginal();
      return provider.link(order);
    },
  };
}
