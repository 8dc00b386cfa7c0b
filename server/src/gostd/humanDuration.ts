/** A duration as kubectl shows an age: roughly, in at most two units. */
export function humanDuration(seconds: number): string {
  const whole = Math.trunc(seconds);
  if (whole < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const minutes = Math.trunc(seconds / 60);
  const hours = Math.trunc(minutes / 60);
  const days = Math.trunc(hours / 24);
  if (whole < 120) return `${whole}s`;
  if (minutes < 10) return inUnits(minutes, 'm', whole % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return inUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (hours < 24 * 8) return inUnits(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 365 * 8 ? inUnits(years, 'y', days % 365, 'd') : `${years}y`;
}

function inUnits(large: number, unit: string, small: number, smaller: string): string {
  return small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smaller}`;
}
