//! Report of a grade: as text, as CSV, and as Gradescope's `results.json`.

use std::fmt;

use serde_json::{Value, json};

use super::rubric::Test;

/// The grade of a bot.
#[derive(Debug)]
pub(super) struct Graded {
    bot: String,
    /// Grades of the tests, in order.
    pub(super) tests: Vec<Grade>,
}

/// The grade of one test.
#[derive(Debug)]
pub(super) struct Grade {
    title: String,
    /// Number of matches won, drawn and lost.
    counts: [u32; 3],
    wanted: f64,
    points: f64,
    of: f64,
    /// Remarks for the author.
    remarks: Vec<String>,
}

impl Grade {
    /// The grade for these counts of won, drawn and lost matches; all are zero for a bot that does not load.
    pub(super) fn of(test: &Test, counts: [u32; 3], remarks: Vec<String>) -> Self {
        let share = share(counts);
        let points = if share + 1e-9 >= test.score {
            test.points
        } else if test.partial {
            // Rounded to cents.
            (100.0 * test.points * share / test.score).round() / 100.0
        } else {
            0.0
        };
        Self { title: test.title(), counts, wanted: test.score, points, of: test.points, remarks }
    }

    /// The result in one line.
    fn words(&self) -> String {
        let [won, drawn, lost] = self.counts;
        let played = won + drawn + lost;
        if played == 0 {
            return "no match was played: the program does not load".to_owned();
        }
        let (share, wanted) = (100.0 * share(self.counts), 100.0 * self.wanted);
        format!(
            "won {won}, drawn {drawn}, lost {lost} of {played}: {share:.1} % of the points, {wanted:.1} % wanted"
        )
    }
}

/// Share of the points; a draw is half a point.
fn share([won, drawn, lost]: [u32; 3]) -> f64 {
    let played = won + drawn + lost;
    if played == 0 { 0.0 } else { f64::from(2 * won + drawn) / f64::from(2 * played) }
}

impl Graded {
    /// A grade without tests.
    pub(super) fn new(bot: &str) -> Self {
        Self { bot: bot.to_owned(), tests: Vec::new() }
    }

    fn sum(&self, points: impl Fn(&Grade) -> f64) -> f64 {
        let cents: f64 = self.tests.iter().map(|test| (100.0 * points(test)).round()).sum();
        cents / 100.0
    }

    /// A CSV table with one row per test.
    pub(super) fn csv(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let mut table = "bot,test,points,of,won,drawn,lost,share,wanted\n".to_owned();
        for test in &self.tests {
            let Grade { title, counts: [won, drawn, lost], wanted, points, of, .. } = test;
            let (bot, title, share) = (quoted(&self.bot), quoted(title), share(test.counts));
            table += &format!("{bot},{title},{points},{of},{won},{drawn},{lost},{share:.4},{wanted}\n");
        }
        table
    }

    /// JSON in Gradescope's format.
    pub(super) fn gradescope(&self) -> String {
        let test = |test: &Grade| {
            let output: Vec<String> =
                [test.words()].into_iter().chain(test.remarks.iter().cloned()).collect();
            json!({
                "name": test.title,
                "score": test.points,
                "max_score": test.of,
                "status": if test.points >= test.of { "passed" } else { "failed" },
                "output": output.join("\n"),
                "output_format": "text",
            })
        };
        let tests: Vec<Value> = self.tests.iter().map(test).collect();
        let object = json!({ "score": self.sum(|test| test.points), "tests": tests });
        format!("{object:#}\n")
    }
}

impl fmt::Display for Graded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (points, of) = (self.sum(|test| test.points), self.sum(|test| test.of));
        write!(f, "{}: {points} of {of} points", self.bot)?;
        let width = self.tests.iter().map(|test| test.title.chars().count()).max().unwrap_or(0);
        for test in &self.tests {
            let Grade { title, points, of, remarks, .. } = test;
            write!(f, "\n{points:>6} of {of:<6} {title:width$}  {}", test.words())?;
            for remark in remarks.iter().flat_map(|remark| remark.lines()) {
                write!(f, "\n    {remark}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(partial: bool) -> Test {
        Test {
            name: Some("a \"test\"".to_owned()),
            beats: "idle".to_owned(),
            score: 0.6,
            games: 20,
            points: 20.0,
            partial,
            maps: None,
        }
    }

    #[test]
    fn points_are_given_whole_or_in_part() {
        let points = |partial, counts| Grade::of(&test(partial), counts, Vec::new()).points;
        assert_eq!(points(false, [12, 0, 8]), 20.0);
        assert_eq!(points(false, [11, 2, 7]), 20.0);
        assert_eq!(points(false, [11, 1, 8]), 0.0);
        assert_eq!(points(true, [11, 1, 8]), 19.17);
        assert_eq!(points(true, [0, 0, 0]), 0.0);
        assert_eq!(points(true, [20, 0, 0]), 20.0);
    }

    #[test]
    fn a_grade_is_text_a_table_and_results() {
        let mut graded = Graded::new("mine.cl");
        graded.tests.push(Grade::of(&test(true), [11, 1, 8], vec!["lost\ntwo lines".to_owned()]));
        graded.tests.push(Grade::of(&test(false), [0; 3], vec!["mine.cl:1:1: no".to_owned()]));
        assert_eq!(
            graded.to_string(),
            "mine.cl: 19.17 of 40 points\n \
             19.17 of 20     a \"test\"  won 11, drawn 1, lost 8 of 20: 57.5 % of the points, 60.0 % wanted\n    \
             lost\n    two lines\n     \
             0 of 20     a \"test\"  no match was played: the program does not load\n    mine.cl:1:1: no"
        );
        let table = graded.csv();
        assert_eq!(table.lines().nth(1), Some("\"mine.cl\",\"a \"\"test\"\"\",19.17,20,11,1,8,0.5750,0.6"));
        let results: Value = serde_json::from_str(&graded.gradescope()).unwrap();
        assert_eq!((&results["score"], &results["tests"][0]["max_score"]), (&json!(19.17), &json!(20.0)));
        assert_eq!(
            results["tests"][1]["output"],
            "no match was played: the program does not load\nmine.cl:1:1: no"
        );
    }
}
