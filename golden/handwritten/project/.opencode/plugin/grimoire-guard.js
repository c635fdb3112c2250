// Written by hand.
export const Guard = async () => ({})
