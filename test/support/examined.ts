import { examine } from '../../src/commands/doctor/examine.ts';
import { asText, type Report } from '../../src/commands/doctor/report.ts';
import { configure } from '../../src/config/configure.ts';
import { createServices, type Services } from '../../src/services/services.ts';
import { listenToComplaints } from './in-process.ts';

export interface Examined {
  readonly report: Report;
  readonly text: string;
  readonly stderr: string;
}

/** What doctor finds with these settings, in this process. */
export async function examined(
  env: Readonly<Record<string, string>>,
  change: (services: Services) => Services = (services) => services,
): Promise<Examined> {
  const configured = configure(new Map(), { ...env });
  if (!configured.ok) throw new Error(JSON.stringify(configured.problems));
  const services = createServices(configured.configuration.settings, 'test', { environment: {} });
  const complaints = listenToComplaints();
  try {
    const examination = await examine(configured.configuration, change(services));
    const text = asText(examination, services.translator);
    return { report: examination.report, text, stderr: complaints.text() };
  } finally {
    complaints.stop();
    await services.close();
  }
}
