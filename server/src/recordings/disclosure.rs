//! Disclosure of the programs of a recording: the selection of the sources that a client gets.

use grandstand_protocol::MatchHeader;

/// The disclosed part of a recording's programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Disclosure {
    Nothing,
    /// The programs of these teams.
    Teams(Vec<String>),
    Everything,
}

impl Disclosure {
    /// Removes the sources that are not disclosed from a header; returns whether the bots' requests are disclosed.
    pub(crate) fn apply(&self, header: &mut MatchHeader) -> bool {
        let teams = match self {
            Disclosure::Everything => return true,
            Disclosure::Nothing => &[][..],
            Disclosure::Teams(teams) => teams,
        };
        // Programs are in the order of the teams only if every team has one.
        let is_paired = header.teams.len() == header.programs.len();
        let mut owns_any = false;
        for (index, program) in header.programs.iter_mut().enumerate() {
            let name = header.teams.get(index).filter(|_| is_paired).map(|team| &*team.name);
            if name.is_some_and(|name| teams.iter().any(|team| team == name)) {
                owns_any = true;
            } else {
                program.source = None;
            }
        }
        owns_any
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Program, TeamInfo};

    use super::*;

    fn header(teams: &[&str]) -> MatchHeader {
        let info = |name: &&str| TeamInfo { name: (*name).into(), color: "black".parse().unwrap() };
        let program = |team: &str| Program {
            team: team.into(),
            file: "bot.cl".into(),
            sha256: "00".into(),
            source: Some(format!("the source of {team}")),
        };
        MatchHeader {
            teams: teams.iter().map(info).collect(),
            programs: vec![program("black"), program("white")],
            ..MatchHeader::default()
        }
    }

    #[test]
    fn an_owner_has_the_programs_of_its_teams_alone() {
        let teams = |names: &[&str]| Disclosure::Teams(names.iter().map(|name| (*name).to_owned()).collect());
        for (disclosure, of, expected, with_asked) in [
            (Disclosure::Nothing, &["Ravens", "Gulls"][..], [false, false], false),
            (Disclosure::Everything, &["Ravens", "Gulls"], [true, true], true),
            (teams(&["Gulls"]), &["Ravens", "Gulls"], [false, true], true),
            (teams(&["Gulls", "Ravens"]), &["Ravens", "Gulls"], [true, true], true),
            (teams(&["Owls"]), &["Ravens", "Gulls"], [false, false], false),
            // A side is not a team's name.
            (teams(&["black"]), &["Ravens", "Gulls"], [false, false], false),
            // It is unknown which team has which program.
            (teams(&["Ravens"]), &["Ravens"], [false, false], false),
        ] {
            let mut header = header(of);
            assert_eq!(disclosure.apply(&mut header), with_asked, "{disclosure:?}");
            let left: Vec<bool> = header.programs.iter().map(|program| program.source.is_some()).collect();
            assert_eq!(left, expected, "{disclosure:?} of {of:?}");
        }
    }
}
