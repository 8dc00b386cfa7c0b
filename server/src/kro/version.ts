/** The release of kro that this follows. */
export const kroVersion = 'v0.9.4';

export const rgdGroup = 'kro.run';
