const numberIn = (text, parameter) => {
    for (const part of text?.split(';') ?? [])
        if (part.trim().startsWith(`${parameter}=`))
            return Number(part.trim().slice(2));
    return undefined;
};
/** The first limit of the headers; undefined if they tell of none. */
export function rateLimitIn(headers) {
    const [policy] = headers['ratelimit-policy']?.split(',') ?? [];
    const [state] = headers.ratelimit?.split(',') ?? [];
    const limit = numberIn(policy, 'q');
    const windowSeconds = numberIn(policy, 'w');
    const remaining = numberIn(state, 'r');
    const resetSeconds = numberIn(state, 't');
    return limit === undefined ||
        windowSeconds === undefined ||
        remaining === undefined ||
        resetSeconds === undefined
        ? undefined
        : { limit, windowSeconds, remaining, resetSeconds };
}
/** The position in the address of the next page. */
export function nextPosition(headers) {
    const address = /<([^>]*)>; *rel="next"/.exec(headers.link ?? '')?.[1];
    return address === undefined
        ? undefined
        : (new URL(address, 'http://registry.invalid').searchParams.get('after') ?? undefined);
}
