/** The student's pages, which have a navigation bar at the bottom of the phone. */
export const STUDENT_PAGES = /^\/(aluno|agenda\/[^/]+)(\/|$)/;

/** What only students sign in for: their pages, and an invite. */
export const STUDENT_DOORS = /^\/(aluno|agenda\/[^/]+|aceitar\/[^/]+)(\/|$)/;
