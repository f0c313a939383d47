// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Escrow, Usdc} from "./Deployed.sol";

/// @dev Watches jobs and money from outside: after each call every change of a job must be a listed move, and every
/// holder's balance must have changed by exactly what the moves say. What it sees otherwise it keeps for the invariants,
/// as a call that reverts leaves no trace.
abstract contract Witness {
    uint256 public constant FEE_BPS = 750;
    uint256 internal constant HOLDERS = 7;

    Escrow public immutable escrow;
    Usdc public immutable token;
    address public immutable treasury;
    address[HOLDERS] public holders;

    string public violation;
    uint256 public donated;
    /// @dev Time as the calls have moved it: forge does not carry it from one call to the next.
    uint256 public time = 1_900_000_000;

    /// @dev One above the status; zero for a job that is not there.
    mapping(uint256 jobId => uint256) internal _stage;
    /// @dev The job of this call that is charged by use, and what of it is used.
    uint256 private _usedId;
    uint256 private _usedPart;
    mapping(address holder => int256) private _expected;
    mapping(address holder => uint256) private _before;

    constructor(Escrow escrow_, Usdc token_, address treasury_) {
        (escrow, token, treasury) = (escrow_, token_, treasury_);
    }

    modifier watched() {
        _note();
        uint256 fees = _feesPaid();
        _;
        _check(fees);
    }

    function _note() private {
        _usedId = 0;
        for (uint256 i; i < HOLDERS; i++) {
            _before[holders[i]] = _worth(holders[i]);
            _expected[holders[i]] = 0;
        }
    }

    function _check(uint256 feesBefore) private {
        uint256 fees;
        for (uint256 id = 1; id <= escrow.jobCount(); id++) fees += _follow(id);
        if (_feesPaid() != feesBefore + fees) violation = "a fee that no completion explains";
        for (uint256 i; i < HOLDERS; i++) {
            int256 moved = int256(_worth(holders[i])) - int256(_before[holders[i]]);
            if (moved != _expected[holders[i]]) violation = "money that no move of a job explains";
        }
    }

    /// @dev What a job's move, if it made one, should have moved; answers with the fee.
    function _follow(uint256 id) private returns (uint256 fee) {
        Escrow.Job memory job = escrow.getJob(id);
        (uint256 was, uint256 stage) = (_stage[id], uint256(job.status) + 1);
        if (stage == was) return 0;
        _stage[id] = stage;
        bool wasPaidIn = was == 2 || was == 3;
        if (stage == 1) {
            if (was != 0) violation = "a job went back to open";
        } else if (stage == 2) {
            if (was > 1) violation = "a job was funded twice";
            _expected[job.client] -= int256(job.budget);
        } else if (stage == 3) {
            if (was != 2) violation = "work was taken for a job that was not funded";
            if (block.timestamp >= job.expiredAt) violation = "work was taken after expiry";
        } else if (stage == 4) {
            if (was != 3) violation = "a job was completed without work";
            uint256 used = id == _usedId ? _usedPart : job.budget;
            if (used > job.budget) violation = "more than the budget was used";
            fee = (used * FEE_BPS) / 10_000;
            _expected[job.provider] += int256(used - fee);
            _expected[job.client] += int256(job.budget) - int256(used);
        } else {
            if (was > 3 || was == 0) violation = "a closed job was closed again";
            if (stage == 6 && !wasPaidIn) violation = "a job expired that held no money";
            if (stage == 6 && block.timestamp < job.expiredAt) violation = "a refund before expiry";
            if (wasPaidIn) _expected[job.client] += int256(job.budget);
        }
    }

    /// @dev The newest job has the evaluator that its terms name.
    function _checkEvaluator(address named) internal {
        if (escrow.getJob(escrow.jobCount()).evaluator != named) violation = "a job has an evaluator that nobody named";
    }

    /// @dev Says which job this call charges by use, before it is made.
    function _charge(uint256 id, uint256 used) internal {
        (_usedId, _usedPart) = (id, used);
    }

    /// @dev What a holder has, and what of it the token refused to return.
    function _worth(address holder) private view returns (uint256) {
        return token.balanceOf(holder) + escrow.unpaidReturns(holder);
    }

    function _feesPaid() private view returns (uint256) {
        return token.balanceOf(treasury) + escrow.unpaidFees();
    }
}
