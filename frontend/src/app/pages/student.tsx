import type { ListedStudent } from '../../../../backend/modules/students/students.api.js';
import { StudentSessions } from '../../features/agenda/student-sessions.js';
import { History } from '../../features/audit/history.js';
import { MonthlyPlan } from '../../features/charges/monthly-plan.js';
import { StudentCharges } from '../../features/charges/student-charges.js';
import { StudentContracts } from '../../features/contracts/student-contracts.js';
import { BalanceSteps } from '../../features/credits/balance-steps.js';
import { CreditAccount } from '../../features/credits/credit-account.js';
import { PendingCredits } from '../../features/credits/pending-credits.js';
import { RenewButton } from '../../features/credits/renew-button.js';
import { Statement } from '../../features/credits/statement.js';
import { usePlanChoices } from '../../features/plans/plans.queries.js';
import { StudentField } from '../../features/students/student-field.js';
import { StudentPage } from '../../features/students/student-page.js';
import { Section } from '../../ui/page.js';

/** The button that renews the student's plan, if that is possible now. */
const renewalOf = ({ id, nome, plano, arquivado, esquecido }: ListedStudent) =>
  plano &&
  plano.creditos > 0 &&
  !arquivado &&
  !esquecido && <RenewButton renewal={{ studentId: id, studentName: nome, plan: plano }} />;

export default function Student() {
  return (
    <StudentPage
      pending={(id) => <PendingCredits studentId={id} />}
      renew={renewalOf}
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
      <CreditAccount
        studentId={id}
        closed={esquecido}
        StudentField={StudentField}
        renew={renewalOf(student)}
      />
      <BalanceSteps studentId={id} />
      <Statement studentId={id} />
    </>
  );
}

function Payments({ student: { id, plano, arquivado, esquecido } }: { student: ListedStudent }) {
  const plans = usePlanChoices();
  const closed = arquivado || esquecido;
  const planId = plano?.id ?? null;
  return (
    <>
      <StudentCharges studentId={id} planId={planId} closed={closed} />
      {!closed && (
        <MonthlyPlan
          studentId={id}
          planId={planId}
          plans={plans.data?.items.filter(({ is_active, tipo }) => is_active && tipo === 'mensal')}
        />
      )}
    </>
  );
}
