/** The volumes that can be mounted, by name, with the kinds of source that mounts ask about. */
export type Volumes = ReadonlyMap<string, ReadonlySet<string>>;

/** What a pod is validated for. */
export interface PodOptions {
  /** A pod itself, not the template of one. */
  readonly isPod: boolean;
  /** The name of the pod; '' where it has none yet. */
  readonly name: string;
  /** The names of volumes that the controller adds. */
  readonly added?: readonly string[];
  /** The controller gives each pod a host name of its own. */
  readonly namesHosts?: true;
}

export const ofTemplate: PodOptions = { isPod: false, name: '' };

/** What all of a pod's containers are validated with. */
export interface PodContext extends PodOptions {
  /** Undefined where a volume is not known. */
  readonly volumes: Volumes | undefined;
  /** Mounts of volumes that the server drops are gone with them. */
  readonly dropsMounts: boolean;
  readonly claims: readonly string[] | undefined;
  readonly restartPolicy: string | undefined;
  readonly gracePeriod: bigint | undefined;
  readonly os: string | undefined;
  /** Ports of the host are those of containers where they are not given. */
  readonly sharesPorts: boolean;
  /** The pod shares the users of its host. */
  readonly hostUsers: boolean;
}
