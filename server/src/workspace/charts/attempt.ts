import { ChartError } from '../../helm/chartError.ts';

/** What is made, or why Helm cannot load the chart. */
export function attempt<T>(make: () => T): T | ChartError {
  try {
    return make();
  } catch (error) {
    if (error instanceof ChartError) return error;
    throw error;
  }
}
