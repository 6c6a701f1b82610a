/** Class names of any style sheet: a simulated page has no styles. */
export default {};
