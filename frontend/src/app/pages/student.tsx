import type { KnownStudent, ListedStudent } from '../../../../backend/modules/students/students.api.js';
import { StudentSessions } from '../../features/agenda/student-sessions.js';
import { History } from '../../parts/history.js';
import { MonthlyPlan, NotAgreed } from '../../features/charges/monthly-plan.js';
import { StudentCharges } from '../../features/charges/student-charges.js';
import { StudentContracts } from '../../features/contracts/student-contracts.js';
import { BalanceSteps } from '../../features/credits/balance-steps.js';
import { CreditAccount } from '../../features/credits/credit-account.js';
import { PastBalance } from '../../features/credits/past-balance.js';
import { PendingCredits } from '../../features/credits/pending-credits.js';
import { RenewButton } from '../../features/credits/renew-parts.js';
import { Statement } from '../../features/credits/statement.js';
import { DossierSheet } from '../../features/dossier/dossier-sheet.js';
import { StudentPayer } from '../../features/payers/student-payer.js';
import { StudentPayments } from '../../features/receipts/student-payments.js';
import { StudentNotes } from '../../features/students/student-notes.js';
import { StudentPage } from '../../features/students/student-page.js';
import { Section } from '../../ui/page.js';

/** The button that renews the student's plan, if that is possible now; filled where there are no credits left. */
const renewalOf = ({ id, nome, plano, creditos, arquivado, esquecido }: ListedStudent) =>
  plano && plano.creditos > 0 && !arquivado && !esquecido ? (
    <RenewButton
      renewal={{ studentId: id, studentName: nome, plan: plano }}
      variant={creditos <= 0 ? 'filled' : 'default'}
    />
  ) : null;

export default function Student() {
  return (
    <StudentPage
      pending={(id) => <PendingCredits studentId={id} />}
      renew={renewalOf}
      notAgreed={(student) => <NotAgreed student={student} />}
      dossier={(student) => <DossierSheet student={student} />}
      past={(id, moment) => (
        <>
          <PastBalance studentId={id} moment={moment} />
          <Statement studentId={id} moment={moment} />
          <StudentSessions studentId={id} moment={moment} />
          <StudentCharges studentId={id} moment={moment} />
          <StudentPayments studentId={id} moment={moment} />
          <StudentContracts studentId={id} moment={moment} />
          <StudentNotes studentId={id} moment={moment} />
          <Section title="Histórico">
            <History kind="student" id={id} at={moment.at} />
          </Section>
        </>
      )}
      tabs={{
        sessoes: ({ id }) => <StudentSessions studentId={id} />,
        extrato: (student) => <Credits student={student} />,
        pagamentos: (student) => <Payments student={student} />,
        contratos: ({ id, arquivado, esquecido }) => (
          <StudentContracts studentId={id} closed={arquivado || esquecido} />
        ),
        historico: ({ id }) => (
          <Section title="Histórico">
            <History kind="student" id={id} />
          </Section>
        ),
      }}
    />
  );
}

function Credits({ student }: { student: ListedStudent }) {
  const { id, esquecido } = student;
  return (
    <>
      <CreditAccount studentId={id} closed={esquecido} renew={renewalOf(student)} />
      <BalanceSteps studentId={id} />
      <Statement studentId={id} />
    </>
  );
}

function Payments({ student }: { student: KnownStudent }) {
  const { id, plano, arquivado, esquecido } = student;
  const planId = plano?.id ?? null;
  const closed = arquivado || esquecido;
  return (
    <>
      <StudentCharges studentId={id} planId={planId} closed={closed} />
      <StudentPayments studentId={id} />
      {!esquecido && <StudentPayer student={student} closed={closed} />}
      {!closed && <MonthlyPlan studentId={id} planId={planId} />}
    </>
  );
}
