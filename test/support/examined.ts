import { examine } from '../../src/cli/doctor/examine.ts';
import { asText } from '../../src/cli/doctor/report.ts';
import { type Company, createCompany } from '../../src/company/company.ts';
import { configurationOf } from './configuration.ts';
import { listenToComplaints } from './in-process.ts';

/** Doctor's report on these settings, made in this process. */
export async function examined(
  env: Readonly<Record<string, string>>,
  change: (company: Company) => Company = (company) => company,
) {
  const configuration = configurationOf(env);
  const made = createCompany(configuration.settings, { environment: {} });
  const complaints = listenToComplaints();
  try {
    const examination = await examine(configuration, change(made));
    const text = asText(examination, made.translator);
    return { report: examination.report, text, stderr: complaints.text() };
  } finally {
    complaints.stop();
    await made.close();
  }
}
