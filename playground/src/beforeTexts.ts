/** The folder that a session stands for. */
export const folder = 'play:/session';

/** Page to worker: what is stored already of files, by their names; all that there is. */
export const beforeNotification = 'playground/before';
export interface BeforeTexts {
  readonly texts: Readonly<Record<string, string>>;
}
