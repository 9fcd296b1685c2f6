/** A figure, lower is better, with what it is held against. Of the limits there is one or none. */
export interface Finding {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly yardstick?: number;
  /** What the yardstick is. */
  readonly beside?: string;
  /** At most so many times the yardstick. */
  readonly times?: number;
  /** At least so many times as fast as the yardstick. */
  readonly faster?: number;
  /** At most so much above the yardstick. */
  readonly above?: number;
  /** At most so much. */
  readonly most?: number;
}

export function report(finding: Finding): void;
